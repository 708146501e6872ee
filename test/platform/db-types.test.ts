import { expect, test } from 'vitest'
import { type Db, inTx, type Tx, type WriteDb } from '../../src/platform/db/open.ts'

/** Never called: `npm run check` compiles it, and fails when one of these lines has no error to expect. */
const refused = {
  insertThroughDb: (db: Db) =>
    // @ts-expect-error Db only reads
    db.insertInto('outlets'),
  updateThroughDb: (db: Db) =>
    // @ts-expect-error Db only reads
    db.updateTable('outlets'),
  deleteThroughDb: (db: Db) =>
    // @ts-expect-error Db only reads
    db.deleteFrom('outlets'),
  mergeThroughDb: (db: Db) =>
    // @ts-expect-error Db only reads
    db.mergeInto('outlets'),
  writeThroughCteOfDb: (db: Db) =>
    // @ts-expect-error a common table expression can write
    db.with('gone', (writer) => writer.deleteFrom('outlets')),
  transactionFromDb: (db: Db) =>
    // @ts-expect-error whoever may only read begins no transaction
    inTx(db, async () => {}),
  transactionFromItsBuilder: (db: WriteDb) =>
    // @ts-expect-error transactions are begun by inTx
    db.transaction(),
  txFromDb: (db: Db): Tx =>
    // @ts-expect-error a store that writes takes a transaction
    db,
  txFromWriteDb: (db: WriteDb): Tx =>
    // @ts-expect-error a store that writes takes a transaction, also of whoever may write without
    db,
}

/** And these compile. */
const allowed = {
  readInTx: (tx: Tx): Db => tx,
  readOfWriter: (db: WriteDb): Db => db,
  writeInTx: (tx: Tx) => tx.insertInto('outlets'),
}

test('a write without a transaction does not compile, says npm run check of this file', () => {
  const uses = [...Object.values(refused), ...Object.values(allowed)]
  expect(uses.every((use) => typeof use === 'function')).toBe(true)
})
