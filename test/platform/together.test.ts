import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  inTwoFlights,
  inTx,
  named,
  openDb,
  runText,
  together,
  type WriteDb,
} from '../../src/platform/db/open.ts'
import { isOutcomeUnknown } from '../../src/platform/db/pg-errors.ts'
import { statement } from '../../src/platform/db/statement.ts'
import { deps, useService } from '../support/service.ts'
import { watching } from '../support/statements.ts'

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

const number = async (tx: WriteDb) =>
  (await runText<{ id: string }>(tx, 'select pg_current_xact_id()::text as id')).rows[0]?.id
const nothing = async () => {}

test('two ways: BEGIN and what is sent first, then what is made of the answers, and COMMIT', async () => {
  await withOne(async (db) => {
    const sent: (string | undefined)[] = []
    const value = await watching(
      ({ name, text }) => sent.push(name ?? text.slice(0, 6)),
      () =>
        inTwoFlights(
          db,
          (tx) => together([put(tx, 1), number(tx)]),
          (tx, [, id]) => {
            const same = number(tx).then((later) => expect(later).toBe(id))
            return { value: 'done', sent: [put(tx, 2), same] }
          },
        ),
    )
    expect(value).toBe('done')
    expect(sent).toEqual(['tx_begin', 'insert', 'select', 'select', 'insert', 'tx_commit'])
    expect(await kept(db)).toEqual([1, 2])
  })
})

const BROKEN = {
  toPostgres() {
    throw new RangeError('cannot be written')
  },
}
const TERMINATE = 'select pg_terminate_backend(pg_backend_pid())'
test.each<[string, (tx: WriteDb) => Promise<unknown>, object]>([
  ['the database refuses', (tx) => put(tx, 2), { code: '23505' }],
  ['fails before it is sent', async () => Promise.reject(new RangeError('unsent')), { message: 'unsent' }],
  ['cannot be written', (tx) => runText(tx, 'select $1', [BROKEN]), { message: 'cannot be written' }],
])('nothing is left of two ways where one statement %s', async (_why, bad, reason) => {
  await withOne(async (db) => {
    await put(db, 2)
    const second = inTwoFlights(
      db,
      (tx) => put(tx, 1),
      (tx) => ({ value: null, sent: [put(tx, 3), bad(tx), put(tx, 4)] }),
    )
    await expect(second).rejects.toMatchObject(reason)
    const first = inTwoFlights(
      db,
      (tx) => together([put(tx, 1), bad(tx)]),
      (tx) => ({ value: null, sent: [put(tx, 3)] }),
    )
    await expect(first).rejects.toMatchObject(reason)
    await inTwoFlights(
      db,
      (tx) => put(tx, 5),
      (tx) => ({ value: null, sent: [put(tx, 6)] }),
    )
    expect(await kept(db)).toEqual([2, 5, 6])
  })
})

test('a throw between the two ways undoes the first', async () => {
  await withOne(async (db) => {
    const changed = inTwoFlights(
      db,
      (tx) => put(tx, 1),
      () => {
        throw new Error('changed')
      },
    )
    await expect(changed).rejects.toThrow('changed')
    expect(await kept(db)).toEqual([])
  })
})

test('a connection that is lost on the way back leaves the outcome unknown', async () => {
  await withOne(async (db) => {
    const lost = inTwoFlights(db, nothing, (tx) => ({ value: null, sent: [runText(tx, TERMINATE)] }))
    const error: unknown = await lost.catch((reason: unknown) => reason)
    expect(isOutcomeUnknown(error)).toBe(true)
  })
})

test('a COMMIT that fails behind rows that were written leaves the outcome unknown, and nothing of them', async () => {
  await withOne(async (db) => {
    await runText(db, 'create table deferred (n int unique deferrable initially deferred)')
    const twice = 'insert into deferred values (1), (1)'
    const failed = inTwoFlights(db, nothing, (tx) => ({ value: null, sent: [runText(tx, twice)] }))
    const error: unknown = await failed.catch((reason: unknown) => reason)
    expect(isOutcomeUnknown(error)).toBe(true)
    expect((await runText(db, 'select n from deferred')).rows).toEqual([])
    await runText(db, 'drop table deferred')
  })
})

test('what is sent behind the end of its transaction is refused', async () => {
  await withOne(async (db) => {
    let late: Promise<unknown> = Promise.resolve()
    await inTx(db, async (tx) => {
      await put(tx, 1)
      late = nextTurn().then(async () => put(tx, 2))
      late.catch(() => {})
    })
    await expect(late).rejects.toThrow('no statement is sent after the end of it')
    expect(await kept(db)).toEqual([1])
  })
})

test('statements of plain PostgreSQL wait for each other', async () => {
  const second = () => ({ value: null, sent: [] })
  await expect(inTwoFlights(deps().db, nothing, second)).rejects.toThrow('needs a sharded database')
})
