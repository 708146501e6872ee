import { UsageError } from './cli/command.ts'
import { COMMANDS, EXAMPLES } from './cli/commands.ts'
import { endOnSignals } from './cli/signals.ts'
import { ApiError } from './core/errors.ts'
import { StartError, systemCode } from './core/fault.ts'
import { BackupError } from './platform/backup/error.ts'
import { ConfigError } from './platform/config/config.ts'
import { isDiskFull } from './platform/db/pg-errors.ts'
import { isNoSpace } from './platform/files/free-space.ts'
import { errorReport } from './platform/log/error-text.ts'
import { VERSION } from './platform/version.ts'

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

/** Null unless the command failed because the disk is full. */
function noSpaceLine(error: unknown): string | null {
  const isDatabases = isDiskFull(error)
  if (!isDatabases && !isNoSpace(error)) return null
  const disk = isDatabases ? "the database's disk" : 'the disk'
  return `No space left on ${disk} (${(error as Error).message}). Free some space and run the command again.`
}

/** Errors that a person can act on print as one line; all others keep their stack. */
function printError(error: unknown) {
  const isUsage =
    error instanceof UsageError ||
    (error instanceof BackupError && error.isWrongCall) ||
    (error instanceof Error && error.name === 'CLIError')
  const isPlain =
    [BackupError, StartError, ConfigError, ApiError].some((plain) => error instanceof plain) || isUsage
  console.error(isPlain ? (error as Error).message : (noSpaceLine(error) ?? errorReport(error)))
  if (isUsage) console.error('See kasir --help')
  process.exitCode = isUsage ? 2 : 1
}

// The reader of our output may exit early (`| head`), a terminal may close, a disk may fill up. The command still
// finishes its work. It succeeds only if no output was lost, except to a reader that exited.
process.stdout.on('error', (error) => {
  const isHandled = process.stdout.listenerCount('error') > 1
  if (!isHandled && systemCode(error) !== 'EPIPE') process.exitCode ||= 1
})
process.stderr.on('error', () => {})

endOnSignals()
await run(process.argv.slice(2)).catch(printError)
