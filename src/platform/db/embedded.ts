import { access, chmod, constants, realpath, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { nullOnCodes, StartError, systemCode } from '../../core/fault.ts'
import { makeDirectory } from '../files/directory.ts'
import { isRoot } from '../files/owner.ts'
import { openAddress, passwordOf } from './embedded/address.ts'
import { findBinaries } from './embedded/binaries.ts'
import { checkFit, createCluster, existingCluster, writeSettings } from './embedded/cluster.ts'
import { superviseServer } from './embedded/guard.ts'
import { isService, nameOfHolder } from './embedded/holder.ts'
import { DataDirInUse, lockDataDir } from './embedded/lock.ts'
import { type Launch, logFileOf } from './embedded/postmaster.ts'
import { clearRemains } from './embedded/processes.ts'
import { ensureDatabase } from './embedded/roles.ts'
import { chooseRunner } from './embedded/runner.ts'
import { createWait } from './embedded/wait.ts'

export { StartError } from '../../core/fault.ts'
export { findRunning, listensOutside } from './embedded/address.ts'
export { isService, nameOfHolder } from './embedded/holder.ts'
export { DataDirInUse } from './embedded/lock.ts'
export { createWait } from './embedded/wait.ts'

type EmbeddedOptions = {
  dataDir: string
  say: (line: string) => void
  /** The command of this process, shown to other processes that find it on the data directory. Default: `serve`. */
  command?: string
  /** Aborting it ends a start that waits or is under way; the start then throws the reason. */
  signal?: AbortSignal
  databaseName?: string
  /** PostgreSQL settings that override all others. */
  settings?: Record<string, string>
  /** A directory of programs to use instead of the packaged ones. */
  binDir?: string
  /** Called once, when PostgreSQL keeps failing and is no longer restarted. */
  onLost?: (error: StartError) => void
}

export type EmbeddedDatabase = {
  url: string
  /** The same database as the superuser of the cluster, for work that the service's own role must not do. */
  adminUrl: string
  socketDir?: string
  /** Repairs made before this start, in sentences for the operator. */
  recovered: string[]
  fresh: boolean
  /**
   * Stops PostgreSQL. If an orderly shutdown takes longer than `graceMs`, it is cut short and PostgreSQL recovers at
   * the next start.
   */
  stop: (graceMs?: number) => Promise<void>
}

/** Starts PostgreSQL once no other command uses the data directory. Throws DataDirInUse if a service holds it. */
export async function startEmbeddedAfterCommands(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const wait = createWait(options)
  for (;;) {
    const started = await startEmbedded(options).catch(inUse)
    if (!(started instanceof DataDirInUse)) return started
    if (isService(started.holder)) throw started
    await wait(`Waiting for ${nameOfHolder(started.holder)} to end; Kasir starts after it`)
  }
}

/** Returns the error if another process holds the data directory; throws every other error. */
export function inUse(error: unknown): DataDirInUse {
  if (error instanceof DataDirInUse) return error
  throw error
}

/** Starts the PostgreSQL that is bundled with Kasir, and keeps it running until `stop`. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataDir = await openDataDir(options.dataDir)
  const lock = await lockDataDir(dataDir, options.command ?? 'serve')
  const undo: ((graceMs?: number) => Promise<void>)[] = [lock.release]
  try {
    const { launchAsked, address, fresh, recovered } = await prepare(options, dataDir)
    undo.unshift(address.close)
    const guard = await superviseServer(launchAsked, options.onLost)
    undo.unshift(guard.stop)
    await ensureDatabase(address, options.databaseName ?? 'kasir')
    await lock.announceDatabase()
    let stopped: Promise<void> | undefined
    return {
      url: address.urlOf(options.databaseName ?? 'kasir'),
      adminUrl: address.adminUrlOf(options.databaseName ?? 'kasir'),
      ...(address.socketDir === undefined ? {} : { socketDir: address.socketDir }),
      recovered,
      fresh,
      stop: (graceMs) => {
        stopped ??= runAll(undo, graceMs)
        return stopped
      },
    }
  } catch (error) {
    await runAll(undo)
    throw error
  }
}

/**
 * Removes the database of a temporary data directory, and stops a PostgreSQL that a killed process left on it. Returns
 * false, without a change, if another process holds the directory.
 */
export async function removeDatabase(dataDir: string): Promise<boolean> {
  const lock = await lockDataDir(dataDir, 'backup').catch(inUse)
  if (lock instanceof DataDirInUse) return false
  try {
    const cluster = await nullOnCodes(realpath(join(dataDir, 'postgres')))
    if (cluster === null) return true
    const { bin } = await findBinaries(await chooseRunner(dataDir, cluster), dataDir)
    await clearRemains(cluster, bin)
    await rm(cluster, { recursive: true, force: true, maxRetries: 5 })
    return true
  } finally {
    await lock.release()
  }
}

async function runAll(steps: ((graceMs?: number) => Promise<void>)[], graceMs?: number): Promise<void> {
  const faults: unknown[] = []
  // If a step fails, the later ones still run; the lock is released last.
  for (const step of steps.splice(0)) await step(graceMs).catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw faults[0]
}

async function openDataDir(path: string): Promise<string> {
  try {
    // Other users may enter the directory but not list it: under root, PostgreSQL runs as another user.
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
  const { say, settings = {}, signal } = options
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
  const launchAsked: Launch = {
    bin: binaries.bin,
    cluster,
    runner,
    logFile: logFileOf(dataDir),
    flags,
    say,
    ...(signal ? { signal } : {}),
  }
  return { launchAsked, address, fresh: existing === null, recovered }
}
