import { expect, test } from 'vitest'
import {
  inTx,
  inTxWithLook,
  named,
  openDb,
  runText,
  together,
  type WriteDb,
} from '../../src/platform/db/open.ts'
import { statement } from '../../src/platform/db/statement.ts'
import { deps, useService } from '../support/service.ts'

// Statements of one transaction that are sent one behind the other, as a sale in steps does where rows are spread (docs/scaling.md).
useService()

/** One connection, as where rows are spread. */
async function withOne<T>(work: (db: WriteDb) => Promise<T>): Promise<T> {
  const url = deps().pool.options.connectionString ?? ''
  const { db, close } = openDb({ url, poolSize: 1, isSharded: true })
  try {
    await runText(db, 'create temp table kept (n int primary key)')
    return await work(db)
  } finally {
    await close()
  }
}
const put = (db: WriteDb, n: number) => runText(db, 'insert into kept values ($1)', [n])
const kept = async (db: WriteDb) =>
  (await runText<{ n: number }>(db, 'select n from kept order by n')).rows.map(({ n }) => n)

test('the first that failed is the reason, nothing of its transaction is left, and the connection goes on', async () => {
  await withOne(async (db) => {
    await put(db, 1)
    const broken = inTx(db, (tx) => together([put(tx, 2), put(tx, 1), put(tx, 3)]))
    await expect(broken).rejects.toMatchObject({ code: '23505' })
    await inTx(db, (tx) => together([put(tx, 4), put(tx, 5)]))
    expect(await kept(db)).toEqual([1, 4, 5])
  })
})

const DOUBLED = statement('together_doubled', 'select 2 * $1::int as n')

test('a statement that was first sent behind one that failed is prepared for the next that needs it', async () => {
  await withOne(async (db) => {
    await put(db, 1)
    const doubled = (tx: WriteDb) => named<{ n: number }>(tx, DOUBLED, [21])
    const broken = inTx(db, (tx) => together([put(tx, 1), doubled(tx), doubled(tx)]))
    await expect(broken).rejects.toMatchObject({ code: '23505' })
    expect(await inTx(db, (tx) => together([doubled(tx), doubled(tx)]))).toEqual([[{ n: 42 }], [{ n: 42 }]])
  })
})

test('a look that is sent right behind BEGIN sees the transaction that it is part of', async () => {
  await withOne(async (db) => {
    const look = async (tx: WriteDb) =>
      (await runText<{ id: string }>(tx, 'select pg_current_xact_id()::text as id')).rows[0]?.id
    const ids = await inTxWithLook(db, look, async (tx, before) => [before, await look(tx)])
    expect(ids[0]).toBe(ids[1])
    const broken = inTxWithLook(
      db,
      (tx) => runText(tx, 'select 1 / 0'),
      (tx) => put(tx, 6),
    )
    await expect(broken).rejects.toMatchObject({ code: '22012' })
    expect(await kept(db)).toEqual([])
  })
})

test('statements of plain PostgreSQL wait for each other', async () => {
  const nothing = async () => {}
  await expect(inTxWithLook(deps().db, nothing, nothing)).rejects.toThrow('where rows are spread only')
})
