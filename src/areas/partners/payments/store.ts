import { sql } from 'kysely'
import { addMs } from '../../../core/time.ts'
import type { Db, Tx, WriteDb } from '../../../platform/db/open.ts'
import { insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { PaymentSessionsRow } from '../../../platform/db/tables/partners.ts'
import { word } from '../../../platform/db/word.ts'
import type { Scope } from '../../../platform/scope.ts'
import { askReachable } from '../../../platform/sharding/holders.ts'
import { type SessionStatus, STATUSES } from './schema.ts'

const FIELDS = [
  'id',
  'saleId',
  'paymentId',
  'method',
  'amount',
  'status',
  'qrString',
  'qrImageUrl',
  'vaNumber',
  'vaBank',
  'expiresAt',
  'paidAt',
  'askedAt',
  'createdAt',
  'updatedAt',
  'partner',
] as const
export type PaymentSessionRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const find = (db: Db, scope: Scope, id: string) =>
  ownRows(db, scope, 'paymentSessions').select(FIELDS).where('id', '=', id).executeTakeFirst()

export async function findPaymentOf(db: Db, scope: Scope, id: string) {
  const row = await ownRows(db, scope, 'paymentSessions')
    .select(['saleId', 'paymentId'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row || row.saleId === null || row.paymentId === null) return null
  return { saleId: row.saleId, paymentId: row.paymentId }
}

/** Lists all sessions of a bill, oldest first. */
export const listOfSale = (db: Db, scope: Scope, saleId: string) =>
  ownRows(db, scope, 'paymentSessions')
    .select(FIELDS)
    .where('saleId', '=', saleId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

type NewSession = Omit<
  PaymentSessionsRow,
  'accountId' | 'status' | 'paidAt' | 'askedAt' | 'createdAt' | 'updatedAt'
>

/** Inserts a session. A stored one does not change: the partner answered a repeated request with the same session. */
export const insert = (tx: Tx, scope: Scope, opened: NewSession) =>
  insertOwn(tx, scope, 'paymentSessions', {
    ...opened,
    status: 'pending',
    paidAt: null,
    askedAt: null,
    createdAt: scope.now,
    updatedAt: scope.now,
  })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Stores the outcome of a session. Paid is final; any other outcome can still change to paid. */
export const end = (
  tx: Tx,
  scope: Scope,
  id: string,
  { status, paidAt }: { status: Exclude<SessionStatus, 'pending'>; paidAt: string | null },
) =>
  updateOwn(tx, scope, 'paymentSessions')
    .set({ status, paidAt, updatedAt: scope.now })
    .where('id', '=', id)
    .where('status', 'in', status === 'paid' ? ['pending', 'expired', 'failed'] : ['pending'])
    .execute()

export const touch = (tx: Tx, scope: Scope, id: string) =>
  updateOwn(tx, scope, 'paymentSessions').set({ askedAt: scope.now }).where('id', '=', id).execute()

/** Counts every pending session of the workspace as asked about now. */
export const touchAll = (tx: Tx, scope: Scope) =>
  updateOwn(tx, scope, 'paymentSessions')
    .set({ askedAt: scope.now })
    .where('status', '=', 'pending')
    .execute()

/** The job checks a session whose outcome was not reported within this time. */
const OVERDUE_MS = 60_000

/**
 * The time of the next check: ten seconds after the last one. From a day after the end of the session, the delay is a
 * tenth of the time since its end, at most a day. Payments made while the service was off are found at the start.
 */
const nextAsk = sql<string>`s.asked_at + case when s.asked_at < s.expires_at + interval '1 day' then interval '10 seconds'
  else least(interval '1 day', (s.asked_at - s.expires_at) / 10) end`

/**
 * Lists sessions of all workspaces to check at the partner: those that no bill waits for any more, and those without a
 * reported outcome. Workspaces take turns, so that the sessions of one delay no others. Of a workspace the one that was asked
 * about longest ago is first.
 */
export const listLoose = (db: WriteDb, now: string, limit: number) =>
  askReachable(db, { table: 'paymentSessions', where: `status = 'pending'` }, (mine) =>
    db
      .selectFrom(loose(db, now, mine).as('s'))
      .select(['s.accountId', 's.id'])
      .orderBy('s.turn')
      .orderBy('s.askedAt', (by) => by.asc().nullsFirst())
      .orderBy('s.expiresAt')
      .limit(limit)
      .execute(),
  )

const loose = (db: WriteDb, now: string, mine: readonly string[] | null) =>
  db
    .selectFrom('paymentSessions as s')
    .leftJoin('payments as p', (join) =>
      join
        .onRef('p.accountId', '=', 's.accountId')
        .onRef('p.saleId', '=', 's.saleId')
        .onRef('p.id', '=', 's.paymentId'),
    )
    .select((of) => [
      's.accountId',
      's.id',
      's.askedAt',
      's.expiresAt',
      of.fn
        .agg<number>('row_number')
        .over((rows) =>
          rows
            .partitionBy('s.accountId')
            .orderBy('s.askedAt', (by) => by.asc().nullsFirst())
            .orderBy('s.expiresAt'),
        )
        .as('turn'),
    ])
    .where('s.status', '=', word('pending', STATUSES))
    .$if(mine !== null, (rows) => rows.where('s.accountId', 'in', mine ?? []))
    .where((of) => of.or([of('s.askedAt', 'is', null), of(nextAsk, '<', now)]))
    .where((of) =>
      of.or([
        of('s.expiresAt', '<', addMs(now, -OVERDUE_MS)),
        of.and([
          of('s.saleId', 'is not', null),
          of.or([of('p.id', 'is', null), of('p.status', '<>', 'PENDING')]),
        ]),
      ]),
    )
