import { access, chmod, constants, realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { makeDirectory } from '../directory.ts'
import { openAddress, passwordOf } from './embedded/address.ts'
import { findBinaries } from './embedded/binaries.ts'
import { checkFit, createCluster, existingCluster, writeSettings } from './embedded/cluster.ts'
import { StartError, systemCode } from './embedded/fault.ts'
import { keepRunning } from './embedded/guard.ts'
import { lockDataDir } from './embedded/lock.ts'
import { type Launch, logFileOf } from './embedded/postmaster.ts'
import { clearRemains } from './embedded/processes.ts'
import { ensureDatabase } from './embedded/roles.ts'
import { chooseRunner, isRoot } from './embedded/runner.ts'

export { findRunning } from './embedded/address.ts'
export { StartError } from './embedded/fault.ts'

type EmbeddedOptions = {
  dataDir: string
  say: (line: string) => void
  databaseName?: string
  /** PostgreSQL settings that win over all others. */
  settings?: Record<string, string>
  /** Programs to use instead of the packaged ones. */
  binDir?: string
  /** Called once, when PostgreSQL keeps dying and is no longer restarted. */
  onLost?: (error: StartError) => void
}

export type Embedded = {
  url: string
  /** The same database as the superuser of the cluster, for what the service itself must not do. */
  adminUrl: string
  socketDir?: string
  /** What had to be put right before this start, in sentences for the operator. */
  recovered: string[]
  fresh: boolean
  stop: () => Promise<void>
}

/** Starts the PostgreSQL that is bundled with Kasir, and keeps it running until `stop`. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataDir = await openDataDir(options.dataDir)
  const unlock = await lockDataDir(dataDir)
  const undo: (() => Promise<void>)[] = [unlock]
  try {
    const { launchAsked, address, fresh, recovered } = await prepare(options, dataDir)
    undo.unshift(address.close)
    const guard = await keepRunning(launchAsked, options.onLost)
    undo.unshift(guard.stop)
    await ensureDatabase(address, options.databaseName ?? 'kasir')
    let stopped: Promise<void> | undefined
    return {
      url: address.urlOf(options.databaseName ?? 'kasir'),
      adminUrl: address.adminUrlOf(options.databaseName ?? 'kasir'),
      ...(address.socketDir === undefined ? {} : { socketDir: address.socketDir }),
      recovered,
      fresh,
      stop: () => {
        stopped ??= runAll(undo)
        return stopped
      },
    }
  } catch (error) {
    await runAll(undo)
    throw error
  }
}

async function runAll(steps: (() => Promise<void>)[]): Promise<void> {
  const faults: unknown[] = []
  // A step that fails must not keep the later ones, the lock last of all, from being undone.
  for (const step of steps.splice(0)) await step().catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw faults[0]
}

async function openDataDir(path: string): Promise<string> {
  try {
    // Others may pass through, not look: PostgreSQL runs as another user when the service is root.
    const made = await makeDirectory(resolve(path))
    if (made) await chmod(path, isRoot() ? 0o711 : 0o700)
    await access(path, constants.W_OK | constants.X_OK)
    return await realpath(path)
  } catch (error) {
    throw new StartError(
      'DATA_DIR_UNUSABLE',
      `DATA_DIR ${resolve(path)} cannot be created or written (${systemCode(error)}).`,
    )
  }
}

async function prepare(options: EmbeddedOptions, dataDir: string) {
  const { say, settings = {} } = options
  const existing = await existingCluster(dataDir)
  const runner = await chooseRunner(dataDir, existing)
  const binaries = await findBinaries(runner, dataDir, options.binDir)
  const password = await passwordOf(dataDir)
  if (existing === null) say('Creating the database (first start only)')
  const sync = settings['fsync'] !== 'off'
  const cluster = existing ?? (await createCluster({ dataDir, binaries, runner, sync, say, password }))
  await checkFit(cluster, binaries.major, runner)
  const recovered = await clearRemains(cluster, binaries.bin)
  for (const line of recovered) say(`Recovered: ${line}`)
  await writeSettings(cluster, runner)
  const address = await openAddress(cluster, runner, password)
  const flags = [
    ...address.flags,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const launchAsked: Launch = { bin: binaries.bin, cluster, runner, logFile: logFileOf(dataDir), flags, say }
  return { launchAsked, address, fresh: existing === null, recovered }
}
