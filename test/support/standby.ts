import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openAddress } from '../../src/platform/db/embedded/address.ts'
import { findBinaries } from '../../src/platform/db/embedded/binaries.ts'
import { launch, type Postmaster, shutDown } from '../../src/platform/db/embedded/postmaster.ts'
import { clearRemains } from '../../src/platform/db/embedded/processes.ts'
import { chooseRunner } from '../../src/platform/db/embedded/runner.ts'
import { startEmbedded } from '../../src/platform/db/embedded.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { copyRunning } from './base-copy.ts'

/** `url` as the service's role, `adminUrl` as the superuser. */
type Server = { url: string; adminUrl: string }
export type Standby = Server & {
  /** Starts it again after a kill. */
  start(): Promise<void>
  /** kill -9 of its postmaster. */
  kill(): void
}
export type ReplicatedDatabase = { primary: Server; standby: Standby; remove(): Promise<void> }

const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '60', wal_keep_size: '256MB' }

/** A migrated PostgreSQL with a streaming standby, made as pg_basebackup makes it. */
export async function startReplicated(): Promise<ReplicatedDatabase> {
  const room = await mkdtemp(path.join(tmpdir(), 'kasir-standby-'))
  await chmod(room, 0o711)
  const [first, second] = [path.join(room, '1'), path.join(room, '2')] as const
  for (const directory of [first, second]) await mkdir(directory, { mode: 0o711 })
  const primary = await startEmbedded({ dataDir: first, say: () => {}, settings: SETTINGS })
  await migrate(primary.url)
  await copyRunning(primary.adminUrl, path.join(second, 'postgres'), 'standby.signal')
  const standby = await openStandby(second, `host=${primary.socketDir} port=5432 user=kasir`)
  await standby.start()
  return {
    primary,
    standby,
    remove: async () => {
      await standby.stop()
      await primary.stop()
      await rm(room, { recursive: true, force: true })
    },
  }
}

async function openStandby(dataDir: string, conninfo: string) {
  const cluster = path.join(dataDir, 'postgres')
  const runner = await chooseRunner(dataDir, cluster)
  const { bin } = await findBinaries(runner, dataDir)
  const address = await openAddress(cluster, runner, null)
  const settings = { ...SETTINGS, primary_conninfo: conninfo, wal_retrieve_retry_interval: '100ms' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let postmaster: Postmaster | undefined
  return {
    url: address.urlOf('kasir'),
    adminUrl: address.adminUrlOf('kasir'),
    start: async () => {
      await postmaster?.exited
      await clearRemains(cluster, bin)
      postmaster = await launch({
        bin,
        cluster,
        runner,
        logFile: path.join(dataDir, 'postgres.log'),
        flags: [...address.flags, ...flags],
        say: () => {},
      })
    },
    kill: () => void (postmaster && process.kill(postmaster.pid, 'SIGKILL')),
    stop: async () => {
      if (postmaster) await shutDown(postmaster, bin, 3_000)
      await address.close()
    },
  }
}
