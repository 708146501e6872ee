import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { inject } from 'vitest'
import { LIMIT_WAITS } from '../../src/platform/sharding/place.ts'
import { asAdmin, cloneOnNodes } from './cluster.ts'
import { TEMPLATE, withDatabase } from './global-setup.ts'

/** `pooledUrl` leads there through a pooler, where the run has one (TEST_POOLER=1). */
export type TestDatabase = { url: string; pooledUrl?: string; drop(): Promise<void> }

const INSUFFICIENT_PRIVILEGE = '42501'

/** A vacuum that started by itself belongs to the server, and nobody else may end it: it is waited for. */
async function dropDatabase(url: string, name: string, attempts = 20): Promise<void> {
  try {
    await asAdmin(url, `drop database if exists ${name} with (force)`)
  } catch (error) {
    if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE || attempts === 0) throw error
    await setTimeout(100)
    await dropDatabase(url, name, attempts - 1)
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
