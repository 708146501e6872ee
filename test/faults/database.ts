import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbedded } from '../../src/platform/db/embedded.ts'

export type FaultDatabase = {
  url: string
  /** The same database as its superuser. */
  adminUrl: string
  /** Settings of every service on this database. */
  env: Record<string, string>
  stop(): Promise<void>
}

/** A PostgreSQL with the settings of an installation, for services with DATABASE_URL. */
export async function startDatabase(): Promise<FaultDatabase> {
  const room = await mkdtemp(path.join(tmpdir(), 'kasir-faults-'))
  await chmod(room, 0o711)
  const { url, adminUrl, stop } = await startEmbedded({ dataDir: path.join(room, 'data'), say: () => {} })
  return {
    url,
    adminUrl,
    // Every process of one database has the same key.
    env: { DATABASE_URL: url, SECRETS_KEY: randomBytes(32).toString('base64') },
    stop: async () => {
      await stop()
      await rm(room, { recursive: true, force: true })
    },
  }
}
