import { assert } from '../../../../core/assert.ts'
import { isSharded, type Tx, type WriteDb } from '../../../../platform/db/open.ts'
import { BUSY } from '../../../../platform/db/shared-writes.ts'
import type { SaleChange, WrittenSale } from './change.ts'
import { writeInSteps } from './in-steps.ts'
import { type WriteOutcome, writeInOneStatement } from './one-statement.ts'

/**
 * The only function that writes sales, new or stored. It writes each change whole or not at all, in the order of `PARTS`.
 * On plain PostgreSQL that is one statement. A sharded database gets steps that are sent together. So does a stored sale
 * whose locks the caller holds, one step after the other.
 *
 * Returns one outcome for each change, in order. It is null if a fact that the change was decided from has changed, and
 * BUSY if the write does not wait (`waits`) and a row that it needs is locked. Then the change is not written. Returns null instead of the list if a shift was closed
 * meanwhile: then nothing is written.
 */
export async function writeSaleChanges(
  db: WriteDb,
  changes: readonly SaleChange[],
  { waits = true }: { waits?: boolean } = {},
): Promise<readonly WriteOutcome[] | null> {
  if (!changes.some((change) => needsSteps(db, change))) return writeInOneStatement(db, changes, waits)
  const outcomes: WriteOutcome[] = []
  for (const change of changes) {
    const inSteps = needsSteps(db, change)
    const outcome = inSteps
      ? await writeInSteps(db, change)
      : (await writeInOneStatement(db, [change], true))?.[0]
    outcomes.push(outcome ?? null)
  }
  return outcomes
}

const needsSteps = (db: WriteDb, { before, seen }: SaleChange) =>
  isSharded(db) || (before !== null && seen === null)

/** Writes one change. Null if a fact that it was decided from has changed. */
export async function writeSaleChange(db: WriteDb, change: SaleChange): Promise<WrittenSale | null> {
  const [outcome = null] = (await writeSaleChanges(db, [change])) ?? []
  assert(outcome !== BUSY, 'a write that waits finds no busy row')
  return outcome
}

/** Writes changes whose locks the caller holds. Returns the JSON text of each reply. */
export async function writeLocked(tx: Tx, changes: readonly SaleChange[]): Promise<string[]> {
  const outcomes = await writeSaleChanges(tx, changes)
  return changes.map((_, index) => {
    const outcome = outcomes?.[index] ?? null
    assert(outcome !== null && outcome !== BUSY, 'no fact changes while the caller holds the locks')
    return outcome.data
  })
}
