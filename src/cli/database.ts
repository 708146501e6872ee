import path from 'node:path'
import { systemCode } from '../core/fault.ts'
import type { Config } from '../platform/config/config.ts'
import { withClient } from '../platform/db/client.ts'
import {
  createWait,
  DataDirInUse,
  type EmbeddedDatabase,
  findRunning,
  inUse,
  isService,
  listensOutside,
  nameOfHolder,
  StartError,
  startEmbedded,
} from '../platform/db/embedded.ts'
import { requireSessions } from '../platform/db/pooler.ts'
import { runningCommand, UsageError } from './command.ts'

const PATIENCE_MS = 10 * 60_000

type DatabaseTarget = {
  url: string
  /** Whether a service uses the data directory now. Always false with DATABASE_URL, where it is unknown. */
  inUse: boolean
}

type WithDatabaseOptions = {
  /** Receives a line every five seconds while this command waits for another process. Default: `say`. */
  sayWaiting?: (line: string) => void
  /** Aborting the signal ends the wait and throws its reason. */
  signal?: AbortSignal
  patienceMs?: number
  /** If set, the command throws this message when a service is running. */
  refusal?: string
}

/**
 * Runs `work` on the configured database: LISTEN_URL or DATABASE_URL, else the embedded one. The embedded one belongs to
 * a running service or is started for the duration of `work`. Waits for another command to end, and for a service that
 * is starting to open its database.
 */
export async function withDatabase<T>(
  config: Config,
  say: (line: string) => void,
  work: (database: DatabaseTarget) => Promise<T>,
  options: WithDatabaseOptions = {},
): Promise<T> {
  if (config.databaseUrl !== null) {
    const url = config.listenUrl ?? config.databaseUrl
    await requireSessions(url, config.listenUrl === null ? 'DATABASE_URL' : 'LISTEN_URL')
    return work({ url, inUse: false })
  }
  const dataDir = path.resolve(config.dataDir)
  const database = await reachEmbedded(dataDir, say, options)
  if (typeof database === 'string') return work({ url: database, inUse: true })
  try {
    return await work({ url: database.url, inUse: false })
  } finally {
    await database.stop()
  }
}

/** Starts the embedded database, or returns the URL of the one that a service runs. */
async function reachEmbedded(
  dataDir: string,
  say: (line: string) => void,
  { sayWaiting = say, signal, patienceMs = PATIENCE_MS, refusal }: WithDatabaseOptions,
): Promise<EmbeddedDatabase | string> {
  const interruptible = signal ? { signal } : {}
  const wait = createWait({ say: sayWaiting, ...interruptible })
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    const started = await startEmbedded({ dataDir, say, command: runningCommand(), ...interruptible }).catch(
      inUse,
    )
    if (!(started instanceof DataDirInUse)) return started
    const { holder } = started
    const name = nameOfHolder(holder)
    if (isService(holder)) {
      if (refusal !== undefined) throw new UsageError(refusal)
      // Until the holder has started its database, any running one is an orphan of a killed service.
      const url = holder.hasDatabase ? await findRunning(dataDir) : null
      if (url !== null && (await letsIn(url, dataDir))) return url
      if (holder.elsewhere !== null && (await listensOutside(dataDir))) {
        throw new StartError(
          'DATA_DIR_IN_USE',
          `The database of ${name} is reachable only from where it runs: run this command there.`,
        )
      }
    }
    if (performance.now() >= giveUpAt) {
      throw new StartError(
        'DATA_DIR_IN_USE',
        isService(holder)
          ? `The database of ${name} does not accept connections: check the log of the service and ${path.join(dataDir, 'postgres.log')}.`
          : `${name} is still using ${dataDir}: run this command again when it has finished.`,
      )
    }
    await wait(
      isService(holder)
        ? `Waiting for the database of ${name}, which does not accept connections yet`
        : `Waiting for ${name} to end`,
    )
  }
}

const UNKNOWN_ROLE = '28000'
/** PostgreSQL is starting or stopping (cannot_connect_now, admin_shutdown), or is not listening. */
const NOT_NOW = ['57P03', '57P01', 'ECONNREFUSED', 'ENOENT']

/** Returns whether the database accepts connections now. */
async function letsIn(url: string, dataDir: string): Promise<boolean> {
  try {
    return await withClient({ connectionString: url }, async () => true)
  } catch (error) {
    if (NOT_NOW.includes(systemCode(error))) return false
    if (systemCode(error) !== UNKNOWN_ROLE) throw error
    // A version that predates the service role creates the role only at the next start.
    throw new StartError(
      'DATA_DIR_IN_USE',
      `An older version of Kasir is running on ${dataDir}: restart it with this version first.`,
    )
  }
}
