import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/platform/db/migrate.ts'
import { startTestPostgres } from './postgres.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declarations merge only as interfaces
  interface ProvidedContext {
    databaseUrl: string
  }
}

/** Puts the script of /docs in its place, as the build does. */
const REFERENCE = fileURLToPath(new URL('../../scripts/reference.mjs', import.meta.url))

export const TEMPLATE = 'kasir_template'

export const withDatabase = (url: string, name: string) => {
  const parsed = new URL(url)
  parsed.pathname = `/${name}`
  return parsed.toString()
}

/** One PostgreSQL for the run, one migrated template in it; every test file clones the template. */
export default async function setup(project: TestProject) {
  await promisify(execFile)(process.execPath, [REFERENCE])
  const postgres = await startTestPostgres()
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`drop database if exists ${TEMPLATE} with (force)`)
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate(withDatabase(postgres.url, TEMPLATE))
  project.provide('databaseUrl', postgres.url)
  return () => postgres.stop()
}
