import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runText, type WriteDb } from './open.ts'

const FILE = fileURLToPath(new URL('../../../invariants/invariants.sql', import.meta.url))

/** The part of the books a sentence is about. */
export type Part = 'sales' | 'stock' | 'cards' | 'points' | 'customers' | 'shifts' | 'kitchen' | 'replies'
export type Invariant = { part: Part; name: string; query: string }

/** The sentences of invariants/invariants.sql; each query answers the rows that break its sentence. */
export async function readInvariants(): Promise<Invariant[]> {
  const text = await readFile(FILE, 'utf8')
  return [...text.matchAll(/^-- (\w+): (.+)\n([\s\S]*?);$/gm)].map(
    ([, part = '', name = '', query = '']) => ({
      part: part as Part,
      name,
      query,
    }),
  )
}

/** Rows shown of each broken sentence; one is enough to start looking. */
const SHOWN = 5

type Broken = Invariant & { rows: unknown[] }

/** The sentences that do not hold, over every workspace of the database. Empty is what everybody wants to see. */
export const brokenInvariants = (db: WriteDb, parts?: readonly Part[]): Promise<Broken[]> =>
  brokenBy(async (text) => (await runText(db, text)).rows, parts)

/** The same for who runs the texts in a session of their own. */
export async function brokenBy(
  run: (text: string) => Promise<unknown[]>,
  parts?: readonly Part[],
): Promise<Broken[]> {
  const broken: Broken[] = []
  for (const invariant of await readInvariants()) {
    if (parts && !parts.includes(invariant.part)) continue
    const rows = await run(`select * from (${invariant.query}) broken limit ${SHOWN}`)
    if (rows.length > 0) broken.push({ ...invariant, rows })
  }
  return broken
}
