import path from 'node:path'
import type { Config } from '../platform/config.ts'
import { withClient } from '../platform/db/client.ts'
import { systemCode } from '../platform/db/embedded/fault.ts'
import { findRunning, StartError, startEmbedded } from '../platform/db/embedded.ts'
import { requireSessions } from '../platform/db/pooler.ts'

type Reached = {
  url: string
  /** Whether a service holds the data directory at this moment; unknown (false) with DATABASE_URL. */
  inUse: boolean
}

/**
 * Runs `work` on the database of the configuration: the one at LISTEN_URL or DATABASE_URL, the embedded one of a service that
 * runs beside us, or the embedded one started for as long as the work takes.
 */
export async function withDatabase<T>(
  config: Config,
  say: (line: string) => void,
  work: (database: Reached) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl !== null) {
    const url = config.listenUrl ?? config.databaseUrl
    await requireSessions(url, config.listenUrl === null ? 'DATABASE_URL' : 'LISTEN_URL')
    return work({ url, inUse: false })
  }
  const dataDir = path.resolve(config.dataDir)
  const started = await startEmbedded({ dataDir, say }).catch((error: unknown) => {
    // The lock is the truth: only a process that lives holds it, and then its database takes connections.
    if (error instanceof StartError && error.code === 'DATA_DIR_IN_USE') return null
    throw error
  })
  if (started === null) return work({ url: await runningUrl(dataDir), inUse: true })
  try {
    return await work({ url: started.url, inUse: false })
  } finally {
    await started.stop()
  }
}

async function runningUrl(dataDir: string): Promise<string> {
  const url = await findRunning(dataDir)
  if (url !== null) return letsIn(url, dataDir)
  throw new StartError(
    'DATA_DIR_IN_USE',
    `Kasir is running on ${dataDir}, but its database does not take connections yet: try again in a moment.`,
  )
}

const UNKNOWN_ROLE = '28000'

/** A service from before it had a role of its own makes that role at its next start only. */
async function letsIn(url: string, dataDir: string): Promise<string> {
  try {
    return await withClient({ connectionString: url }, async () => url)
  } catch (error) {
    if (systemCode(error) !== UNKNOWN_ROLE) throw error
    throw new StartError(
      'DATA_DIR_IN_USE',
      `An older version of Kasir is running on ${dataDir}: restart it with this version first.`,
    )
  }
}
