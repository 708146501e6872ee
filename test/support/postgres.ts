import { access, chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../src/platform/db/embedded.ts'

export type TestPostgres = { url: string; stop: () => Promise<void> }

/** A test database has nothing to lose: what it may lose in a crash buys the suite most of its speed. */
const FORGETFUL = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_connections: '300',
  // Checkpoints of short-lived databases only write files that are about to be dropped.
  max_wal_size: '4GB',
  checkpoint_timeout: '1h',
}

const DEBIAN_HOME = '/usr/lib/postgresql'

/** The PostgreSQL of the test run: the packaged one in a temporary directory, or TEST_DATABASE_URL. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { url: given, stop: async () => {} }
  return startThrowaway()
}

/** The newest PostgreSQL 15 to 17 that Debian installed here; null when there is none. */
export async function startDebianPostgres(): Promise<TestPostgres | null> {
  const installed = await readdir(DEBIAN_HOME).catch((): string[] => [])
  for (const version of ['17', '16', '15'].filter((name) => installed.includes(name))) {
    const binDir = join(DEBIAN_HOME, version, 'bin')
    const complete = await Promise.all([
      access(join(binDir, 'postgres')),
      access(join(binDir, 'initdb')),
    ]).catch(() => null)
    if (complete) return startThrowaway(binDir)
  }
  return null
}

/** The tests are the service's role as well, and may besides make the databases of their files. */
async function mayClone(adminUrl: string) {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query('alter role kasir_service createdb')
  await client.end()
}

async function startThrowaway(binDir?: string): Promise<TestPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'kasir-test-'))
  // mkdtemp makes a room with no door; under root PostgreSQL runs as another user and needs its own.
  const dataDir = join(directory, 'data')
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    await chmod(directory, 0o711)
    const { url, adminUrl, stop } = await startEmbedded({
      dataDir,
      say: () => {},
      settings: FORGETFUL,
      ...(binDir === undefined ? {} : { binDir }),
    })
    await mayClone(adminUrl)
    return {
      url,
      stop: async () => {
        await stop()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
