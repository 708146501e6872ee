import { addMs } from '../../../core/time.ts'
import type { Db, Tx, WriteDb } from '../../../platform/db/open.ts'
import { insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { PaymentSessionsRow } from '../../../platform/db/tables/partners.ts'
import { word } from '../../../platform/db/word.ts'
import type { Scope } from '../../../platform/scope.ts'
import { askReachable } from '../../../platform/sharding/holders.ts'
import { STATUSES, type Status } from './schema.ts'

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
] as const
export type SessionRow = NonNullable<Awaited<ReturnType<typeof find>>>

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

/** Every session that was opened for a bill, the oldest first. */
export const listOfSale = (db: Db, scope: Scope, saleId: string) =>
  ownRows(db, scope, 'paymentSessions')
    .select(FIELDS)
    .where('saleId', '=', saleId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

type Opened = Omit<
  PaymentSessionsRow,
  'accountId' | 'status' | 'paidAt' | 'askedAt' | 'createdAt' | 'updatedAt'
>

/** One that is known already stays as it is: the partner answered a repeated request with the same session. */
export const insert = (tx: Tx, scope: Scope, opened: Opened) =>
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

/** Money is the last word; any other end holds until it comes. */
export const end = (
  tx: Tx,
  scope: Scope,
  id: string,
  status: Exclude<Status, 'pending'>,
  paidAt: string | null,
) =>
  updateOwn(tx, scope, 'paymentSessions')
    .set({ status, paidAt, updatedAt: scope.now })
    .where('id', '=', id)
    .where('status', 'in', status === 'paid' ? ['pending', 'expired', 'failed'] : ['pending'])
    .execute()

export const touch = (tx: Tx, scope: Scope, id: string) =>
  updateOwn(tx, scope, 'paymentSessions').set({ askedAt: scope.now }).where('id', '=', id).execute()

/** A partner that cannot be reached is asked again after so long, and for so long after the end of a session. */
const AGAIN_MS = 10_000
const OVERDUE_MS = 60_000
const GIVEN_UP_MS = 24 * 3_600_000

/**
 * Sessions that the partner has to be asked about: those whose payment the bill no longer waits for, and those whose end
 * nobody has reported. The longest overdue first, across workspaces.
 */
export const listLoose = (db: WriteDb, now: string, limit: number) =>
  askReachable(db, { table: 'paymentSessions', where: `status = 'pending'` }, (mine) =>
    db
      .selectFrom('paymentSessions as s')
      .leftJoin('payments as p', (join) =>
        join
          .onRef('p.accountId', '=', 's.accountId')
          .onRef('p.saleId', '=', 's.saleId')
          .onRef('p.id', '=', 's.paymentId'),
      )
      .select(['s.accountId', 's.id'])
      .where('s.status', '=', word('pending', STATUSES))
      .where('s.expiresAt', '>', addMs(now, -GIVEN_UP_MS))
      .$if(mine !== null, (rows) => rows.where('s.accountId', 'in', mine ?? []))
      .where((of) => of.or([of('s.askedAt', 'is', null), of('s.askedAt', '<', addMs(now, -AGAIN_MS))]))
      .where((of) =>
        of.or([
          of('s.expiresAt', '<', addMs(now, -OVERDUE_MS)),
          of.and([
            of('s.saleId', 'is not', null),
            of.or([of('p.id', 'is', null), of('p.status', '<>', 'PENDING')]),
          ]),
        ]),
      )
      .orderBy('s.expiresAt')
      .limit(limit)
      .execute(),
  )
