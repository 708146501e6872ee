import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { withClient } from '../../src/platform/db/client.ts'
import { openAddress, passwordOf } from '../../src/platform/db/embedded/address.ts'
import { findBinaries } from '../../src/platform/db/embedded/binaries.ts'
import { existingCluster } from '../../src/platform/db/embedded/cluster.ts'
import { launch, logFileOf, type Postmaster } from '../../src/platform/db/embedded/postmaster.ts'
import { chooseRunner } from '../../src/platform/db/embedded/runner.ts'

export const queryingAt = <T>(url: string, work: (client: pg.Client) => Promise<T>) =>
  withClient({ connectionString: url }, work)

/** The rows of a single statement. */
export const rowsAt = async <T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> =>
  (await queryingAt(url, (client) => client.query<T>(text))).rows

export type Server = {
  url: string
  adminUrl: string
  pid: number
  /** Resolves once the server accepts writes. */
  ready: Promise<Postmaster>
}

/** Starts the PostgreSQL of a data directory without the supervisor of the service: a killed one stays dead. */
export async function startServer(dataDir: string, settings: Record<string, string> = {}): Promise<Server> {
  const cluster = await existingCluster(dataDir)
  if (cluster === null) throw new Error(`${dataDir} holds no database`)
  const runner = await chooseRunner(dataDir, cluster)
  const { bin } = await findBinaries(runner, dataDir)
  const address = await openAddress(cluster, runner, await passwordOf(dataDir))
  // Read again by every reload, unlike the command line.
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  )
  await appendFile(path.join(cluster, 'postgresql.conf'), lines.join(''))
  const { ready, pid } = await new Promise<Pick<Server, 'ready' | 'pid'>>((resolve, reject) => {
    const launched = launch({
      bin,
      cluster,
      runner,
      logFile: logFileOf(dataDir),
      flags: [...address.flags],
      onSpawn: (postmaster) => resolve({ ready: launched, pid: postmaster.pid }),
      say: () => {},
    })
    launched.catch(reject)
  })
  return { url: address.urlOf('kasir'), adminUrl: address.adminUrlOf('kasir'), pid, ready }
}
