import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { TEMPLATE, withDatabase } from './global-setup.ts'

export type TestDatabase = { url: string; drop(): Promise<void> }

const asAdmin = async (statement: string) => {
  const client = new pg.Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** A vacuum that started by itself belongs to the server, and nobody else may end it: it is waited for. */
async function dropDatabase(name: string, attempts = 20): Promise<void> {
  try {
    await asAdmin(`drop database if exists ${name} with (force)`)
  } catch (error) {
    if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE || attempts === 0) throw error
    await setTimeout(100)
    await dropDatabase(name, attempts - 1)
  }
}

/** A database without any table. */
export const emptyDatabase = (): Promise<TestDatabase> => makeDatabase('template1')

/** A database of one test file, cloned from the template in a few milliseconds. */
export const cloneDatabase = (): Promise<TestDatabase> => makeDatabase(TEMPLATE)

async function makeDatabase(template: string): Promise<TestDatabase> {
  const name = `kasir_test_${randomBytes(6).toString('hex')}`
  await asAdmin(`create database ${name} template ${template}`)
  return {
    url: withDatabase(inject('databaseUrl'), name),
    drop: () => dropDatabase(name),
  }
}
