import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/platform/db/migrate.ts'
import { shardDatabase } from '../../src/platform/sharding/place.ts'
import { closeTemplate, makeClusterDatabase, nodesOf } from './cluster.ts'
import { startPooler } from './pooler.ts'
import { startTestPostgres } from './postgres.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface ProvidedContext {
    databaseUrl: string
    /** The workers of the cluster that the tests run over; none on plain PostgreSQL. */
    workerUrls: string[]
    /** Whether what is in `dist` is the source of now. */
    isBuilt: boolean
    /** The pooler that services of tests reach their databases through (TEST_POOLER=1); else null. */
    poolerUrl: string | null
  }
}

const rootFile = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/** Puts the script of /docs in its place, as the build does. */
const REFERENCE = rootFile('scripts/reference.mjs')

export const TEMPLATE = 'kasir_template'

/** Tests that make many requests wait for one lock want a connection for each. */
const MANY = [['default_pool_size = 20', 'default_pool_size = 80']] as const

/** Enough that both workers have several, few enough that a clone is quick. */
const SHARDS_OF_TESTS = 4

export const withDatabase = (url: string, name: string) => {
  const parsed = new URL(url)
  parsed.pathname = `/${name}`
  return parsed.toString()
}

/**
 * One PostgreSQL for the run, one migrated template in it; every test file clones the template. With TEST_CLUSTER_URL, that
 * of a coordinator, the template is spread over its workers.
 */
export default async function setup(project: TestProject) {
  const { isBuildDue } = await import(rootFile('scripts/lib/bootstrap.mjs'))
  project.provide('isBuilt', !isBuildDue())
  await promisify(execFile)(process.execPath, [REFERENCE])
  const cluster = process.env['TEST_CLUSTER_URL']
  if (cluster) return overCluster(project, cluster)
  const postgres = await startTestPostgres()
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`drop database if exists ${TEMPLATE} with (force)`)
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate(withDatabase(postgres.url, TEMPLATE))
  project.provide('databaseUrl', postgres.url)
  project.provide('workerUrls', [])
  const pooler = process.env['TEST_POOLER'] ? await startPooler(postgres.url, MANY) : null
  project.provide('poolerUrl', pooler?.url ?? null)
  return async () => {
    await pooler?.stop()
    await postgres.stop()
  }
}

async function overCluster(project: TestProject, url: string) {
  const nodes = await nodesOf(url)
  for (const node of [nodes.coordinator, ...nodes.workers]) await dropLeftovers(node)
  await makeClusterDatabase(nodes, TEMPLATE)
  await migrate(withDatabase(nodes.coordinator, TEMPLATE))
  await shardDatabase(withDatabase(nodes.coordinator, TEMPLATE), { shards: SHARDS_OF_TESTS })
  await closeTemplate([nodes.coordinator, ...nodes.workers], TEMPLATE)
  project.provide('databaseUrl', nodes.coordinator)
  project.provide('workerUrls', nodes.workers)
  project.provide('poolerUrl', null)
}

/** Databases of a run that was cut off: in each of them the engine keeps a session of its own awake. */
async function dropLeftovers(node: string) {
  const client = new pg.Client({ connectionString: node })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    String.raw`select datname as name from pg_database where datname like 'kasir\_test\_%'`,
  )
  for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`)
  await client.end()
}
