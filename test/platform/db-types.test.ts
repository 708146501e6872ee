import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  type Db,
  inTx,
  named,
  namedWrite,
  runText,
  type Tx,
  type WriteDb,
} from '../../src/platform/db/open.ts'
import type { Statement, WriteStatement } from '../../src/platform/db/statement.ts'

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
  writingTextThroughDb: (db: Db, text: WriteStatement) =>
    // @ts-expect-error a text that writes is no text that reads
    named(db, text, []),
  writingTextByDb: (db: Db, text: WriteStatement) =>
    // @ts-expect-error Db only reads
    namedWrite(db, text, []),
  undeclaredText: (db: Db) =>
    // @ts-expect-error a text is declared by statement() or writeStatement()
    named(db, { name: 'delete_all', text: 'delete from sales' }, []),
  textOfTheTag: (db: Db) =>
    // @ts-expect-error the sql tag makes fragments for the builder; a whole text is declared
    sql`delete from sales`.execute(db),
  textOfTheTagInTx: (tx: Tx) =>
    // @ts-expect-error nor does a transaction run it
    sql`delete from sales`.execute(tx),
  madeTextThroughDb: (db: Db) =>
    // @ts-expect-error a text that is made while the service runs may write
    runText(db, 'delete from sales'),
}

/** And these compile. */
const allowed = {
  readInTx: (tx: Tx): Db => tx,
  readOfWriter: (db: WriteDb): Db => db,
  readingTextInTx: (tx: Tx, text: Statement) => named(tx, text, []),
  writingTextInTx: (tx: Tx, text: WriteStatement) => namedWrite(tx, text, []),
  writingTextOfWriter: (db: WriteDb, text: WriteStatement) => namedWrite(db, text, []),
  writeInTx: (tx: Tx) => tx.insertInto('outlets'),
}

test('a write without a transaction does not compile, says npm run check of this file', () => {
  const uses = [...Object.values(refused), ...Object.values(allowed)]
  expect(uses.every((use) => typeof use === 'function')).toBe(true)
})
