import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import { setIdTime } from './core/ids.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { StartError } from './platform/db/embedded/fault.ts'
import { durabilityFaults, migrate } from './platform/db/migrate.ts'
import { openDb } from './platform/db/open.ts'
import type { Deps } from './platform/deps.ts'
import { makeLog } from './platform/log.ts'
import { loadSecretsKey, secretsOf } from './platform/secrets.ts'
import { startSweeper } from './platform/sweep.ts'

/** Tells a person what happens, one line at a time. */
export type Say = (line: string) => void
export type Database = { url: string; stop(): Promise<void> }

/** The database of the configuration: the one at DATABASE_URL, or the embedded one under DATA_DIR. */
export async function openDatabase(config: Config, say: Say): Promise<Database> {
  if (config.databaseUrl !== null) return { url: config.databaseUrl, stop: async () => {} }
  const { startEmbedded } = await import('./platform/db/embedded.ts')
  return startEmbedded({ dataDir: path.resolve(config.dataDir), say })
}

/** Refuses a database that could lose an acknowledged sale, then brings the schema up to date. */
export async function prepareDatabase(config: Config, url: string, say: Say) {
  const faults = await durabilityFaults(url).catch((error: Error) => {
    throw new StartError(
      'DATABASE_UNREACHABLE',
      `The database at DATABASE_URL does not answer: ${error.message}`,
    )
  })
  if (faults.length > 0 && !config.allowUnsafeDatabase) {
    throw new StartError(
      'DATABASE_UNSAFE',
      `This database cannot keep what it acknowledges (${faults.join(', ')}). Fix it, or set ALLOW_UNSAFE_DATABASE=1 to accept the loss.`,
    )
  }
  const applied = await migrate(url)
  if (applied.length > 0) say(`Schema brought up to date: ${applied.join(', ')}`)
}

export type DepsOptions = { config: Config; url: string; clock?: Clock; log?: Deps['log'] }

export async function makeDeps({
  config,
  url,
  clock = systemClock,
  log,
}: DepsOptions): Promise<Deps & { close(): Promise<void> }> {
  await mkdir(config.dataDir, { recursive: true })
  const logger = log ?? makeLog(config.logLevel)
  const key = await loadSecretsKey(config.secretsKey, config.dataDir)
  setIdTime(() => clock.ms())
  const { db, pool, close } = openDb({
    url,
    poolSize: config.databasePoolSize,
    onError: (error) => logger.warn({ err: error }, 'a database connection was lost'),
  })
  const live = { publish: () => {} }
  return Object.freeze({ config, clock, db, pool, log: logger, secrets: secretsOf(key), live, close })
}

export type Service = { app: FastifyInstance; address: string; deps: Deps; stop(): Promise<void> }

/** How long requests in flight may take to finish once the service was told to stop (contract 24.5). */
const DRAIN_MS = 10_000

/** Starts everything in order and returns how to stop it in the reverse order. */
export async function startService(config: Config, say: Say): Promise<Service> {
  const database = await openDatabase(config, say)
  try {
    await prepareDatabase(config, database.url, say)
    const deps = await makeDeps({ config, url: database.url })
    const app = await createApp(deps)
    const sweeper = startSweeper(deps)
    const address = await app
      .listen({ host: config.host, port: config.port })
      .catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EADDRINUSE'
          ? new StartError(
              'PORT_TAKEN',
              `Port ${config.port} is taken; stop what uses it or set PORT to another one.`,
            )
          : error
      })
    let stopping: Promise<void> | undefined
    const stop = () => (stopping ??= drain(app, sweeper, deps, database))
    return { app, address, deps, stop }
  } catch (error) {
    await database.stop()
    throw error
  }
}

async function drain(
  app: FastifyInstance,
  sweeper: { stop(): Promise<void> },
  deps: Deps & { close(): Promise<void> },
  database: Database,
) {
  const late = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
  app.server.closeIdleConnections()
  await app.close()
  clearTimeout(late)
  await sweeper.stop()
  await deps.close()
  await database.stop()
}
