import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import { LIMIT_WAITS } from '../../src/platform/sharding/place.ts'
import { asAdmin, cloneOnNodes } from './cluster.ts'
import { TEMPLATE, withDatabase } from './global-setup.ts'

/** `pooledUrl` leads there through a pooler, where the run has one (TEST_POOLER=1). */
export type TestDatabase = { url: string; pooledUrl?: string; drop(): Promise<void> }

const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * A vacuum that started by itself belongs to the server: ending it by force is refused, while a drop without force ends
 * it and waits.
 */
async function dropDatabase(url: string, name: string): Promise<void> {
  try {
    await asAdmin(url, `drop database if exists ${name} with (force)`)
  } catch (error) {
    if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error
    await asAdmin(
      url,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = '${name}' and backend_type = 'client backend'`,
      `drop database if exists ${name}`,
    )
  }
}

/** A database without any table. */
export const emptyDatabase = (): Promise<TestDatabase> => makeDatabase('template1')

/** A database of one test file, cloned from the template in a few milliseconds, on every node where there are several. */
export const cloneDatabase = (): Promise<TestDatabase> => makeDatabase(TEMPLATE)

async function makeDatabase(template: string): Promise<TestDatabase> {
  const name = `kasir_test_${randomBytes(6).toString('hex')}`
  const url = inject('databaseUrl')
  const pooler = inject('poolerUrl')
  const workers = template === TEMPLATE ? inject('workerUrls') : []
  if (workers.length > 0) {
    await cloneOnNodes([...workers, url], template, name)
    // What is set for a database is not cloned with it.
    await asAdmin(withDatabase(url, name), LIMIT_WAITS)
  } else await asAdmin(url, `create database ${name} template ${template}`)
  return {
    url: withDatabase(url, name),
    ...(pooler === null ? {} : { pooledUrl: withDatabase(pooler, name) }),
    drop: async () => {
      // Sessions of the coordinator open those of the workers.
      await dropDatabase(url, name)
      await Promise.all(workers.map((worker) => dropDatabase(worker, name)))
    },
  }
}
