import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries } from './embedded/binaries.ts'
import { checkVersion, createCluster, existingCluster, SUPERUSER, writeSettings } from './embedded/cluster.ts'
import { orNull, StartError, systemCode } from './embedded/fault.ts'
import { LONGEST_SOCKET_PATH, lockDataDir } from './embedded/lock.ts'
import { type Launch, launch, logFileOf, type Postmaster, shutDown } from './embedded/postmaster.ts'
import { clearRemains, isPostgresOf, readPidFile } from './embedded/processes.ts'
import { chooseRunner, giveTo, type Runner } from './embedded/runner.ts'

export { StartError } from './embedded/fault.ts'

export type EmbeddedOptions = {
  dataDir: string
  say: (line: string) => void
  databaseName?: string
  /** PostgreSQL settings that win over all others. */
  settings?: Record<string, string>
  /** Programs to use instead of the packaged ones. */
  binDir?: string
  /** Told once when PostgreSQL keeps dying and is no longer restarted. */
  onLost?: (error: StartError) => void
}

export type Embedded = {
  url: string
  socketDir?: string
  /** What had to be put right before this start, in sentences for the operator. */
  recovered: string[]
  fresh: boolean
  stop(): Promise<void>
}

type Address = {
  flags: string[]
  urlOf(databaseName: string): string
  socketDir?: string
  close(): Promise<void>
}

const STOP_GRACE_MS = 8000
const RESTART_DELAYS_MS = [0, 100, 500, 1000, 2000]
const RESTART_WINDOW_MS = 60_000

/** Starts the PostgreSQL that comes along with Kasir, and keeps it running until `stop`. */
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
    return {
      url: address.urlOf(options.databaseName ?? 'kasir'),
      ...(address.socketDir === undefined ? {} : { socketDir: address.socketDir }),
      recovered,
      fresh,
      stop: () => runAll(undo),
    }
  } catch (error) {
    await runAll(undo)
    throw error
  }
}

async function runAll(steps: (() => Promise<void>)[]): Promise<void> {
  for (const step of steps.splice(0)) await step()
}

/** The address of a database another process of this user keeps running, for commands beside the service. */
export async function findRunning(dataDir: string, databaseName = 'kasir'): Promise<string | null> {
  const root = await orNull(realpath(dataDir))
  const cluster = root === null ? null : await existingCluster(root)
  const file = cluster === null ? null : await readPidFile(cluster)
  if (root === null || cluster === null || file?.status !== 'ready') return null
  if (!(await isPostgresOf(file.pid, cluster))) return null
  return file.socketDir === ''
    ? tcpUrl(await orNull(readFile(passwordFileOf(root), 'utf8')), file.port, databaseName)
    : socketUrl(file.socketDir, databaseName)
}

async function openDataDir(path: string): Promise<string> {
  try {
    // Others may pass through, not look: PostgreSQL runs as another user when the service is root.
    await mkdir(resolve(path), { recursive: true, mode: 0o711 })
    return await realpath(path)
  } catch (error) {
    throw new StartError(
      'DATA_DIR_UNUSABLE',
      `DATA_DIR ${resolve(path)} cannot be created or opened (${systemCode(error)}).`,
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
  await checkVersion(cluster, binaries.major)
  const recovered = await clearRemains(cluster, binaries.bin)
  for (const line of recovered) say(`Recovered: ${line}`)
  await writeSettings(cluster, runner)
  const address = password === null ? await socketAddress(cluster, runner) : await tcpAddress(password)
  const flags = [
    ...address.flags,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const launchAsked: Launch = { bin: binaries.bin, cluster, runner, logFile: logFileOf(dataDir), flags, say }
  return { launchAsked, address, fresh: existing === null, recovered }
}

const socketUrl = (socketDir: string, databaseName: string): string =>
  // A host name keeps the address readable for URL parsers; clients take the socket from the parameter.
  `postgres://${SUPERUSER}@localhost/${encodeURIComponent(databaseName)}?host=${encodeURIComponent(socketDir)}`

const tcpUrl = (password: string | null, port: number, databaseName: string): string =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${encodeURIComponent(databaseName)}`

/** A socket inside the cluster's own directory: mode 700 guards it, and no port can be taken. */
async function socketAddress(cluster: string, runner: Runner): Promise<Address> {
  const fits = join(cluster, '.s.PGSQL.5432.lock').length <= LONGEST_SOCKET_PATH
  const socketDir = fits ? cluster : await mkdtemp('/tmp/kasir-')
  if (!fits) await giveTo(runner, socketDir)
  return {
    flags: [
      '-c',
      `unix_socket_directories=${socketDir}`,
      '-c',
      'unix_socket_permissions=0700',
      '-c',
      'listen_addresses=',
      '-p',
      '5432',
    ],
    urlOf: (databaseName) => socketUrl(socketDir, databaseName),
    socketDir,
    close: async () => {
      if (!fits) await rm(socketDir, { recursive: true, force: true })
    },
  }
}

async function tcpAddress(password: string): Promise<Address> {
  const port = await freePort()
  return {
    flags: ['-c', 'listen_addresses=127.0.0.1', '-p', String(port)],
    urlOf: (databaseName) => tcpUrl(password, port, databaseName),
    close: async () => {},
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

const passwordFileOf = (dataDir: string): string => join(dataDir, 'postgres.password')

/** Windows has no socket directories with owners: there the database listens on loopback with a password. */
async function passwordOf(dataDir: string): Promise<string | null> {
  if (process.platform !== 'win32') return null
  const path = passwordFileOf(dataDir)
  const known = await orNull(readFile(path, 'utf8'))
  if (known !== null) return known
  const password = randomBytes(24).toString('hex')
  await writeFile(path, password, { mode: 0o600 })
  await chmod(path, 0o600)
  return password
}

/** The postmaster, restarted when it dies unasked. */
async function keepRunning(
  asked: Launch,
  onLost?: (error: StartError) => void,
): Promise<{ stop(): Promise<void> }> {
  let current: Postmaster = await launch(asked)
  let stopping = false
  const leave = () => {
    // A service that ends without `stop` takes its database along; only kill -9 leaves it behind.
    if (!current.hasExited() && process.platform !== 'win32') process.kill(current.pid, 'SIGINT')
  }
  process.once('exit', leave)
  const wake = new AbortController()

  const watch = async (): Promise<void> => {
    let deaths: number[] = []
    let how = await current.exited
    while (!stopping) {
      const now = performance.now()
      deaths = [...deaths.filter((at) => now - at < RESTART_WINDOW_MS), now]
      const delay = RESTART_DELAYS_MS[deaths.length - 1]
      if (delay === undefined) {
        const error = new StartError(
          'DATABASE_FAILED',
          `PostgreSQL ended ${deaths.length} times within a minute and is not restarted again (log: ${asked.logFile})`,
        )
        asked.say(error.message)
        onLost?.(error)
        return
      }
      asked.say(`PostgreSQL ended unexpectedly (${how}); restarting it`)
      await sleep(delay, null, { signal: wake.signal }).catch(() => null)
      if (stopping) return
      try {
        await clearRemains(asked.cluster, asked.bin)
        current = await launch(asked)
        asked.say('PostgreSQL is back')
        how = await current.exited
      } catch (error) {
        how = error instanceof Error ? error.message : String(error)
      }
    }
  }
  const watching = watch()

  return {
    stop: async () => {
      stopping = true
      wake.abort()
      // A restart under way finishes first, or its postmaster would outlive us.
      await shutDown(current, asked.bin, STOP_GRACE_MS)
      await watching
      if (!current.hasExited()) await shutDown(current, asked.bin, STOP_GRACE_MS)
      process.removeListener('exit', leave)
    },
  }
}

async function ensureDatabase(address: Address, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: address.urlOf('postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}
