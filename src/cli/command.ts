import { type ArgsDef, type ParsedArgs, parseArgs } from 'citty'
import { type Config, readConfig, type SETTINGS } from '../platform/config.ts'

type Setting = keyof typeof SETTINGS

type Spec<T extends ArgsDef> = {
  name: string
  description: string
  args: T
  /** Settings from the environment that matter to it. */
  environment: readonly Setting[]
  /** Lines to copy, each with what it does. */
  examples: readonly (readonly [line: string, does: string])[]
  run(args: ParsedArgs<T>): Promise<void>
}

export type Command = Omit<Spec<ArgsDef>, 'run'> & { run(rawArgs: string[]): Promise<void> }

/** A wrong call: the command line prints the message and points to the help. */
export class UsageError extends Error {}

/** Declares a command. An option it does not know is refused: a misspelt one must not be ignored. */
export const command = <const T extends ArgsDef>(spec: Spec<T>): Command => ({
  ...spec,
  run: async (rawArgs) => {
    refuseUnknown(spec.args, rawArgs)
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

/** The option every command shares; it wins over the environment. */
export const dataDirArg = {
  'data-dir': {
    type: 'string',
    valueHint: 'path',
    description: 'Where the embedded database and secrets live (DATA_DIR)',
  },
} as const satisfies ArgsDef

/** The settings of this run: the environment, with the given options in front. */
export function settingsOf(options: Readonly<Record<string, string | undefined>> = {}): Config {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return readConfig({ ...process.env, ...Object.fromEntries(given) })
}

/** A line for the person at the terminal of a command whose output is for a program. */
export const sayAside = (line: string) => {
  process.stderr.write(`${line}\n`)
}

/** A line for the person at the terminal. The service's own log goes through pino instead. */
export const say = (line: string) => {
  process.stdout.write(`${line}\n`)
}
