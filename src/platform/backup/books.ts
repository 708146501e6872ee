import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { MIGRATIONS_DIR, type Migration, readMigrations } from '../db/migrate.ts'

/** A schema of the database with the migrations that make it. */
export type Book = { schema: string; migrations: readonly Migration[] }

/** Reads the service's schema and those of the reference partners, whose migrations are in folders named after them. */
export async function readBooks(dir = MIGRATIONS_DIR): Promise<Book[]> {
  const folders = (await readdir(dir, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const partners = folders.map(async ({ name }) => ({
    schema: name.replaceAll('-', '_'),
    migrations: await readMigrations(path.join(dir, name)),
  }))
  return [{ schema: PUBLIC, migrations: await readMigrations(dir) }, ...(await Promise.all(partners))]
}

export const PUBLIC = 'public'

/** Lists the applied migrations of a schema; migrations write it themselves. */
export const LEDGER_TABLE = 'schema_migrations'

const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`
export const qualified = (schema: string, table: string) => `${identifier(schema)}.${identifier(table)}`
export const columnList = (columns: readonly string[]) => columns.map(identifier).join(', ')

/** Every table that these migrations make or once made, under every name it has had. */
export function tablesMadeBy(migrations: readonly Migration[]): Set<string> {
  const text = migrations.map(({ sql }) => sql).join('\n')
  const found = [
    ...text.matchAll(/\bcreate table (?:if not exists )?(?:\w+\.)?(\w+)/gi),
    ...text.matchAll(/\balter table (?:if exists )?(?:\w+\.)?\w+ rename to (\w+)/gi),
  ]
  return new Set([LEDGER_TABLE, ...found.map(([, name = '']) => name.toLowerCase())])
}

/**
 * Columns that a follower of the event log stores beside a transaction number and that mean nothing without it. A
 * backup writes them empty, so that the follower of a restored log starts from the beginning. A test fails if this
 * list lacks a follower.
 */
export const POSITIONS: readonly { table: string; column: string }[] = [
  { table: 'report_positions', column: 'cluster' },
  { table: 'referral_programs', column: 'seen_id' },
]

/**
 * Tables about the machine that this database is on. A backup has none of their rows: a restore must not revive the
 * session of an operator, nor list files that lie elsewhere.
 */
export const LEFT_EMPTY: ReadonlySet<string> = new Set(['operator_tokens', 'backups'])

export type FoundTable = {
  schema: string
  table: string
  columns: string[]
  transactionIds: string[]
  bytes: number
}

const TABLES = `
select n.nspname as schema, c.relname as table, pg_table_size(c.oid)::float8 as bytes,
  array_agg(a.attname::text order by a.attnum) as columns,
  array_remove(array_agg(case when a.atttypid = 'xid8'::regtype then a.attname::text end), null) as "transactionIds"
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
where n.nspname = any($1) and c.relkind = 'r'
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
group by n.nspname, c.relname, c.oid
order by n.nspname, c.relname`

/** The tables in these schemas, without generated columns and without tables of extensions. */
export const findTables = async (client: pg.Client, schemas: readonly string[]): Promise<FoundTable[]> =>
  (await client.query<FoundTable>(TABLES, [schemas])).rows

/** The migrations applied to a schema; null if it has no ledger. */
export async function ledgerOf(
  client: pg.Client,
  schema: string,
): Promise<{ name: string; checksum: string }[] | null> {
  const found = await client.query<{ is: boolean }>('select to_regclass($1) is not null as is', [
    qualified(schema, LEDGER_TABLE),
  ])
  if (!found.rows[0]?.is) return null
  const ledger = await client.query<{ name: string; checksum: string }>(
    `select name, checksum from ${qualified(schema, LEDGER_TABLE)} order by name`,
  )
  return ledger.rows
}
