import { type Command, UsageError } from './cli/command.ts'
import { ApiError } from './core/errors.ts'
import { BackupError } from './platform/backup/error.ts'
import { ConfigError } from './platform/config.ts'
import { StartError, systemCode } from './platform/db/embedded/fault.ts'
import { errorReport } from './platform/error-text.ts'
import { VERSION } from './platform/version.ts'

/** Each command brings its own code: `serve` must not wait for what only `demo` needs. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./cli/serve.ts')).serve,
  migrate: async () => (await import('./cli/migrate.ts')).migrate,
  shard: async () => (await import('./cli/shard.ts')).shard,
  demo: async () => (await import('./cli/demo.ts')).demo,
  'import-catalogue': async () => (await import('./cli/import-catalogue.ts')).importCatalogue,
  'export-catalogue': async () => (await import('./cli/export-catalogue.ts')).exportCatalogue,
  mcp: async () => (await import('./cli/mcp.ts')).mcp,
  'delegation-token': async () => (await import('./cli/delegation-token.ts')).delegationToken,
  'reference-partner': async () => (await import('./cli/reference-partner.ts')).referencePartner,
  backup: async () => (await import('./cli/backup.ts')).backup,
  restore: async () => (await import('./cli/restore.ts')).restore,
  'rebuild-rollups': async () => (await import('./cli/rebuild-rollups.ts')).rebuildRollupsCommand,
  listen: async () => (await import('./cli/listen.ts')).listen,
  trigger: async () => (await import('./cli/trigger.ts')).trigger,
  'rotate-secrets': async () => (await import('./cli/rotate-secrets.ts')).rotateSecrets,
  'reset-second-factor': async () => (await import('./cli/reset-second-factor.ts')).resetSecondFactorCommand,
  doctor: async () => (await import('./cli/doctor.ts')).doctor,
}

const EXAMPLES = [
  ['kasir serve', 'start the service on http://127.0.0.1:3000'],
  ['PORT=8080 kasir serve', 'the same on another port'],
  ['kasir serve --help', 'what a command does, its options and settings'],
] as const

const print = (text: string) => {
  process.stdout.write(text)
}

async function run([name, ...rest]: string[]): Promise<void> {
  if (name === '--version' || name === '-v') return print(`${VERSION}\n`)
  if (name === 'help' && rest[0] !== undefined && !rest[0].startsWith('-')) return run([rest[0], '--help'])
  if (name === undefined || ['--help', '-h', 'help'].includes(name)) return showProgram(name !== undefined)
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!load) throw new UsageError(`There is no command "${name}"`)
  const command = await load()
  if (rest.includes('--help') || rest.includes('-h')) {
    const { commandHelp } = await import('./cli/help.ts')
    return print(commandHelp(command))
  }
  await command.run(rest)
}

async function showProgram(asked: boolean) {
  const { programHelp } = await import('./cli/help.ts')
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()))
  print(programHelp(commands, EXAMPLES))
  if (!asked) process.exitCode = 2
}

/** Faults a person can act on are plain lines; anything else keeps its stack. */
function tell(error: unknown) {
  const isUsage =
    error instanceof UsageError ||
    (error instanceof BackupError && error.isWrongCall) ||
    (error instanceof Error && error.name === 'CLIError')
  const isPlain =
    [BackupError, StartError, ConfigError, ApiError].some((plain) => error instanceof plain) || isUsage
  console.error(isPlain ? (error as Error).message : errorReport(error))
  if (isUsage) console.error('See kasir --help')
  process.exitCode = isUsage ? 2 : 1
}

// The reader of our output may leave early (`| head`); what is under way is finished all the same.
process.stdout.on('error', (error) => {
  const isHandled = process.stdout.listenerCount('error') > 1
  if (systemCode(error) !== 'EPIPE' && !isHandled) throw error
})

await run(process.argv.slice(2)).catch(tell)
