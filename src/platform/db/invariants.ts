import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { runText, type WriteDb } from './open.ts'
import { isUnavailable } from './pg-errors.ts'

const FILE = fileURLToPath(new URL('../../../invariants/invariants.sql', import.meta.url))

/** The domain that an invariant is about. */
export type BooksPart =
  | 'sales'
  | 'stock'
  | 'cards'
  | 'points'
  | 'customers'
  | 'shifts'
  | 'kitchen'
  | 'replies'
export type Invariant = { part: BooksPart; name: string; query: string }

/**
 * Reads invariants/invariants.sql; each query returns the rows that break its invariant. `asOf` is the moment of the
 * data (RFC 3339), null for a database in use: queries compute the age of a row from it.
 */
export async function readInvariants(asOf: string | null = null): Promise<Invariant[]> {
  const text = await readFile(FILE, 'utf8')
  const moment = asOf === null ? 'now()' : `timestamptz ${pg.escapeLiteral(asOf)}`
  return [...text.matchAll(/^-- (\w+): (.+)\n([\s\S]*?);$/gm)].map(
    ([, part = '', name = '', query = '']) => ({
      part: part as BooksPart,
      name,
      query: query.replaceAll('now()', moment),
    }),
  )
}

/** The most rows reported for each broken invariant; one is enough to start an investigation. */
const SHOWN = 5

export type BrokenInvariant = Invariant & { rows: unknown[] }

/** Returns the broken invariants over every workspace of the database. */
export async function brokenInvariants(
  db: WriteDb,
  parts?: readonly BooksPart[],
): Promise<BrokenInvariant[]> {
  const broken: BrokenInvariant[] = []
  for (const invariant of await readInvariants()) {
    if (parts && !parts.includes(invariant.part)) continue
    const { rows } = await runText(db, shownRows(invariant))
    if (rows.length > 0) broken.push({ ...invariant, rows })
  }
  return broken
}

const shownRows = ({ query }: Invariant) => `select * from (${query}) broken limit ${SHOWN}`

/**
 * `unchecked` lists the invariants that could not be checked, each with the reason: an older schema, or no time left.
 */
export type Examination = { broken: BrokenInvariant[]; unchecked: string[] }

type ExaminationOptions = {
  asOf: string
  limitMs?: number
  signal?: AbortSignal | undefined
  /** Throws the error of a server without space or memory, or that stops, instead of listing the invariant as unchecked. */
  needsServer?: boolean
}

/**
 * Checks every invariant inside the open transaction of `client`, which stays usable. After `limitMs` in total, the
 * remaining invariants are unchecked. Throws the abort reason of `signal`.
 */
export async function examineBooks(
  client: Pick<pg.ClientBase, 'query'>,
  { asOf, limitMs = Number.POSITIVE_INFINITY, signal, needsServer = false }: ExaminationOptions,
): Promise<Examination> {
  const found: Examination = { broken: [], unchecked: [] }
  const end = performance.now() + limitMs
  for (const invariant of await readInvariants(asOf)) {
    signal?.throwIfAborted()
    const leftMs = Math.ceil(end - performance.now())
    if (leftMs <= 0) {
      found.unchecked.push(`${invariant.name} (no time left)`)
      continue
    }
    await client.query('savepoint before_invariant')
    if (Number.isFinite(leftMs)) await client.query(`set local statement_timeout = ${leftMs}`)
    try {
      const { rows } = await client.query(shownRows(invariant))
      if (rows.length > 0) found.broken.push({ ...invariant, rows })
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || (needsServer && isUnavailable(error))) throw error
      found.unchecked.push(`${invariant.name} (${error.message})`)
    }
    await client.query('rollback to savepoint before_invariant')
  }
  return found
}
