import { type ArgsDef, type ParsedArgs, parseArgs } from 'citty'
import { type Config, readConfig, type SETTINGS } from '../platform/config/config.ts'

type Setting = keyof typeof SETTINGS

type Spec<T extends ArgsDef> = {
  name: string
  description: string
  args: T
  /** The environment settings that affect the command. */
  environment: readonly Setting[]
  /** Example command lines, each with its effect. */
  examples: readonly (readonly [line: string, does: string])[]
  run(args: ParsedArgs<T>): Promise<void>
}

export type Command = Omit<Spec<ArgsDef>, 'run'> & { run(rawArgs: string[]): Promise<void> }

/** The command was called incorrectly: the command line prints the message and points to the help. */
export class UsageError extends Error {}

let running = 'kasir'

/** The command this process runs. Other processes show it in their messages. */
export const runningCommand = () => running

/** Declares a command. It rejects unknown options, so a misspelt one is never ignored. */
export const command = <const T extends ArgsDef>(spec: Spec<T>): Command => ({
  ...spec,
  run: async (rawArgs) => {
    refuseUnknown(spec.args, rawArgs)
    running = spec.name
    await spec.run(parseArgs<T>(rawArgs, spec.args))
  },
})

function refuseUnknown(args: ArgsDef, rawArgs: string[]) {
  const known = new Set(Object.keys(args).flatMap((name) => [name, camel(name)]))
  const optional = Object.fromEntries(
    Object.entries(args).map(([name, arg]) => [name, { ...arg, required: false }]),
  )
  const { _: words, ...parsed } = parseArgs(rawArgs, optional)
  const strange = Object.keys(parsed).find((name) => !known.has(name))
  if (strange !== undefined) {
    throw new UsageError(`Unknown option ${strange.length === 1 ? '-' : '--'}${strange}`)
  }
  const places = Object.values(args).filter(({ type }) => type === 'positional').length
  if (words.length > places) throw new UsageError(`Unexpected argument "${words[places]}"`)
}

const camel = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The option all commands share. It overrides the environment. */
export const dataDirArg = {
  'data-dir': {
    type: 'string',
    valueHint: 'path',
    description: 'Where the embedded database and secrets live (DATA_DIR)',
  },
} as const satisfies ArgsDef

/** Returns the settings of this run: the environment, overridden by the given options. */
export function settingsOf(options: Readonly<Record<string, string | undefined>> = {}): Config {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return readConfig({ ...process.env, ...Object.fromEntries(given) })
}

/** Prints a line to stderr for the operator, when stdout is read by a program. */
export const sayAside = (line: string) => {
  process.stderr.write(`${line}\n`)
}

/** Prints a line for the operator. The service writes its log through pino instead. */
export const say = (line: string) => {
  process.stdout.write(`${line}\n`)
}
