import { randomBytes } from 'node:crypto'
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

/** A database of one test file, cloned from the template in a few milliseconds. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const name = `kasir_test_${randomBytes(6).toString('hex')}`
  await asAdmin(`create database ${name} template ${TEMPLATE}`)
  return {
    url: withDatabase(inject('databaseUrl'), name),
    drop: () => asAdmin(`drop database if exists ${name} with (force)`),
  }
}
