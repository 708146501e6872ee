import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { examineDatabase } from '../../src/cli/doctor/database.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts'
import { TABLE_OWNER } from '../../src/platform/db/tables.ts'
import type { Finding } from '../../src/platform/doctor/finding.ts'
import { findEngine } from '../../src/platform/sharding/engine.ts'
import { shardDatabase } from '../../src/platform/sharding/place.ts'
import { asAdmin, makeClusterDatabase } from '../support/cluster.ts'
import { withDatabase } from '../support/global-setup.ts'
import { kasir } from '../support/kasir.ts'

// Run over a cluster by `npm run test:cluster`.

const NAME = 'kasir_shard_test'
let url: string
let nodes: { coordinator: string; workers: string[] }

const fresh = async () => {
  await makeClusterDatabase(nodes, NAME)
  url = withDatabase(nodes.coordinator, NAME)
}
beforeAll(() => {
  nodes = { coordinator: inject('databaseUrl'), workers: inject('workerUrls') }
})
afterAll(async () => {
  for (const node of [nodes.coordinator, ...nodes.workers])
    await asAdmin(node, `drop database if exists ${NAME} with (force)`)
})

const query = async (text: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
const countOf = async (table: string) => Number((await query(`select count(*) as n from ${table}`))[0].n)

async function findings(): Promise<Finding[]> {
  const found: Finding[] = []
  await examineDatabase(readConfig({ DATABASE_URL: url, DATA_DIR: '/nonexistent' }), (one) => found.push(one))
  return found.filter(({ name }) => name === 'cluster')
}

/** A cluster of tests need not outlive its machine. */
const UNSAFE = { ALLOW_UNSAFE_DATABASE: '1' }
const ALL_TABLES = Object.keys(TABLE_OWNER).length
/** Tables of the installation, not of a workspace, stay on the coordinator (PLACED_APART). */
const APART = 10
/** The last one that was written before databases could be spread. */
const LAST_OF_BEFORE = '0059~'

describe('kasir shard', () => {
  test('spreads a filled database of an earlier version, which later migrations find spread', async () => {
    await fresh()
    const all = await readMigrations()
    await migrate(
      url,
      all.filter(({ name }) => name <= LAST_OF_BEFORE || ['0071', '0078'].includes(name.slice(0, 4))),
    )
    await query(
      `insert into accounts (account_id, name) select 'acc_' || n, 'Toko' from generate_series(1, 50) n`,
    )
    await query(
      `insert into outlets (account_id, id, name) select 'acc_' || n, 'out_' || n, 'Pusat' from generate_series(1, 50) n`,
    )
    await query(
      `insert into account_slugs (slug, account_id, created_at) select 'toko-' || n, 'acc_' || n, now() from generate_series(1, 50) n`,
    )
    const { placed } = await shardDatabase(url, { shards: 4 })
    expect(placed).toHaveLength((await query(`select from pg_dist_partition`)).length)
    await migrate(url, all)
    expect(await findEngine(url)).toEqual({ isSharded: true, faults: [] })
    expect([await countOf('accounts'), await countOf('outlets'), await countOf('account_slugs')]).toEqual([
      50, 50, 50,
    ])
    const lines = await findings()
    expect(lines.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok'])
    const workspaces = lines.flatMap(({ found }) =>
      (/(\d+) workspaces/.exec(found) ?? []).slice(1).map(Number),
    )
    expect(workspaces).toHaveLength(2)
    expect(Math.min(...workspaces)).toBeGreaterThan(0)
    expect(workspaces.reduce((sum, n) => sum + n, 0)).toBe(50)
    // Nothing stays behind on the coordinator, where it would be read by nobody.
    const [{ bytes }] = await query(
      `select sum(pg_relation_size(logicalrelid))::float8 as bytes from pg_dist_partition where partmethod = 'h'`,
    )
    expect(bytes).toBe(0)
  })

  test('run again it changes nothing, and places what is not yet placed', async () => {
    expect((await shardDatabase(url)).placed).toEqual([])
    await query('alter table feed_settings drop constraint feed_settings_account_id_fkey')
    await query(`select undistribute_table('feed_settings')`)
    expect((await findEngine(url)).faults).toEqual([
      'feed_settings is on the coordinator only, not distributed by workspace',
    ])
    expect((await findings()).at(-1)).toEqual({
      name: 'cluster',
      state: 'fault',
      found: 'feed_settings is on the coordinator only, not distributed by workspace',
      remedy: 'Stop every service and run kasir shard.',
    })
    const { code, err } = await kasir(['serve'], { ...UNSAFE, DATABASE_URL: url, PORT: '0' })
    expect([code, err]).toEqual([
      1,
      'Not every table lies where it should (feed_settings is on the coordinator only, not distributed by workspace): run kasir shard, which resumes where it stopped.\n',
    ])
    expect((await shardDatabase(url)).placed).toEqual(['feed_settings'])
    expect(await findEngine(url)).toEqual({ isSharded: true, faults: [] })
  })

  test('refuses while a service is connected and anything has to move, and says so', async () => {
    const client = new pg.Client({ connectionString: url, application_name: 'kasir' })
    await client.connect()
    try {
      // A worker that was added while tills sell gets its settings like this.
      expect((await shardDatabase(url)).placed).toEqual([])
      await query(`select undistribute_table('feed_settings')`)
      await expect(shardDatabase(url)).rejects.toThrow(
        'A service uses this database: stop every process of Kasir',
      )
    } finally {
      await client.end()
    }
  })

  test('refuses a table that was placed otherwise by hand', async () => {
    await query(`select create_reference_table('feed_settings')`)
    await expect(shardDatabase(url)).rejects.toThrow(
      'feed_settings is copied to every node, not distributed by workspace',
    )
  })

  test('refuses a cluster without workers, and a PostgreSQL without Citus, with what to do', async () => {
    const coordinator = { coordinator: nodes.coordinator, workers: [] }
    await makeClusterDatabase(coordinator, NAME)
    await expect(shardDatabase(url)).rejects.toThrow('The cluster has no workers')
    await query('drop extension citus')
    await expect(shardDatabase(url)).rejects.toThrow('run "create extension citus" in it, on every node')
  })

  test('places an empty database from the command line', async () => {
    await fresh()
    const { code, out } = await kasir(['shard', '--shards', '2'], { ...UNSAFE, DATABASE_URL: url })
    expect([code, out.split('\n').at(-2)]).toEqual([0, `Placed ${ALL_TABLES - APART} tables over 2 workers.`])
    const waits = await query(
      `select result from run_command_on_workers('select setconfig from pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())')`,
    )
    expect(waits).toEqual([{ result: '{lock_timeout=5s}' }, { result: '{lock_timeout=5s}' }])
    // As one that was added since.
    await asAdmin(nodes.workers[0] ?? '', `alter database ${NAME} reset lock_timeout`)
    const found = await findings()
    expect(found.map(({ state }) => state)).toEqual(['warn', 'ok', 'ok'])
    expect(found[0]?.found).toMatch(
      /^worker 1 at .+, 0 events; a request there waits for a lock without a time limit$/,
    )
    const again = await kasir(['shard'], { ...UNSAFE, DATABASE_URL: url })
    expect([again.code, again.out]).toEqual([
      0,
      'Every table is in its place, on 2 workers; nothing to do.\n',
    ])
    expect((await findings()).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok'])
  })

  test('a backup beside a service says that its books may not agree, and one without says nothing', async () => {
    const save = async () => {
      const { code, err } = await kasir(['backup', '-'], { ...UNSAFE, DATABASE_URL: url })
      return [code, err.includes('Stop every service and run the backup again for consistent books.')]
    }
    expect(await save()).toEqual([0, false])
    const client = new pg.Client({ connectionString: url, application_name: 'kasir' })
    await client.connect()
    try {
      expect(await save()).toEqual([0, true])
    } finally {
      await client.end()
    }
  })
})
