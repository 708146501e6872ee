import { afterAll, expect } from 'vitest'
import { events } from '../../src/events.ts'
import { type BooksPart, brokenInvariants } from '../../src/platform/db/invariants.ts'
import type { Db, WriteDb } from '../../src/platform/db/open.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { replyChecker } from '../../src/platform/http/validate.ts'
import type { Answer } from './api.ts'

export type Refusal = { status: number | undefined; code: string | undefined; param: string | undefined }

/** What a refused request tells: status, code and the field at fault. `toMatchObject` leaves some of it open. */
export const refusalOf = (answer: Pick<Answer, 'status' | 'error'> | undefined): Refusal => ({
  status: answer?.status,
  code: answer?.error?.code,
  param: answer?.error?.param,
})

/** The data of an answer that must have succeeded. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
export function done(answer: Answer): any {
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.data
}

/** The sale of an answer that must have succeeded. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted, not typed
export const saleOf = (answer: Answer): any => done(answer).sale

/** The sentences of invariants/invariants.sql hold; reads every workspace of the database. */
export async function assertInvariants(db: WriteDb, parts?: readonly BooksPart[]) {
  const broken = await brokenInvariants(db, parts)
  expect(broken.map(({ name, rows }) => ({ name, rows }))).toEqual([])
}

/** Holds after every operation on stock, whatever was accepted or refused. */
export const assertStockInvariants = (db: WriteDb) => assertInvariants(db, ['stock'])

/** Holds after every operation on cards, points and shifts. */
export const assertLedgerInvariants = (db: WriteDb) => assertInvariants(db, ['cards', 'points', 'shifts'])

/** Holds where customers only ever bought through sales that are in the database. */
export const assertCustomerTotals = (db: WriteDb) => assertInvariants(db, ['customers'])

type Row = { accountId: string; id: string; type: string; body: string }

const ENVELOPE = ['id', 'type', 'timestamp', 'accountId', 'data']
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const checks = new Map([...events].map(([name, { data }]) => [name, replyChecker(data)]))

/** How a row of the outbox departs from what the event was declared as; null when it does not. */
export function departureOf({ accountId, id, type, body }: Row): string | null {
  const check = checks.get(type)
  if (!check) return `${type} is declared by no room`
  const parsed = JSON.parse(body)
  if (JSON.stringify(Object.keys(parsed)) !== JSON.stringify(ENVELOPE)) return `${type} has other keys`
  if (parsed.id !== id || parsed.type !== type || parsed.accountId !== accountId)
    return `${type} is not the body of its row`
  if (!INSTANT.test(parsed.timestamp)) return `${type} has no instant`
  try {
    check(parsed.data)
    return null
  } catch (error) {
    return `${type}: ${(error as Error).message}`
  }
}

/** Every row of the outbox is an event that a room declares, with the data that it declares, whoever wrote the row. */
export async function assertEvents(db: Db) {
  const departures = new Set<string>()
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('events')
      .select(['accountId', 'id', 'type', 'body'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(1_000)
      .execute()
    for (const row of rows) departures.add(departureOf(row) ?? '')
    after = rows.at(-1)?.id ?? ''
    if (after === '') break
  }
  departures.delete('')
  expect([...departures]).toEqual([])
}

/** Deadlocks of this database so far: each session tells its own only when it is asked to. */
export async function deadlocks({ pool }: Pick<Deps, 'pool'>): Promise<number> {
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  try {
    for (const client of clients) await client.query('select pg_stat_force_next_flush()')
  } finally {
    for (const client of clients) client.release()
  }
  const { rows } = await pool.query<{ n: number }>(
    'select deadlocks::int as n from pg_stat_database where datname = current_database()',
  )
  return rows[0]?.n ?? 0
}

/**
 * Deadlocks are retried, so a wrong lock order hides behind right answers. Call it after `useService`, with `deps`: the file fails
 * when its database ended one.
 */
export const expectNoDeadlocks = (deps: () => Pick<Deps, 'pool'>) =>
  afterAll(async () => {
    expect(await deadlocks(deps())).toBe(0)
  })

/** Refusals of a write that a partner has answered and the database did not keep: each says what to do, and neither to repeat it. */
export function expectUnsaved({ keyless, keyed }: Record<'keyless' | 'keyed', Answer>) {
  for (const answer of [keyless, keyed])
    expect(refusalOf(answer)).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' })
  const saved = 'The partner has answered, but that could not be saved here.'
  expect(keyless.error.message).toBe(
    `${saved} Look the record up first, and send it again only if it is not there`,
  )
  expect(keyed.error.message).toBe(
    `${saved} Send it again with the same Idempotency-Key; it will be done at most once`,
  )
}
