import { newId } from '../../../core/ids.ts'
import { type Currency, lapseOf, type PaidTier } from '../../../core/plans.ts'
import type { Db, Tx, WriteDb } from '../../../platform/db/open.ts'
import { insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'
import { askReachable } from '../../../platform/sharding/holders.ts'

const FIELDS = [
  'id',
  'tier',
  'currency',
  'status',
  'currentPeriodEnd',
  'lapsesAt',
  'createdAt',
  'updatedAt',
] as const
export type SubscriptionRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const find = (db: Db, scope: { readonly accountId: AccountId }) =>
  ownRows(db, scope, 'billingSubscriptions').select(FIELDS).executeTakeFirst()

/** Held until the transaction ends: two payments, or a payment and a cancel, take turns. */
export async function lock(tx: Tx, scope: Scope) {
  await ownRows(tx, scope, 'accounts').select('accountId').forNoKeyUpdate().execute()
  return find(tx, scope)
}

/** Whether this session had not been counted before. */
export const insertPayment = async (
  tx: Tx,
  scope: Scope,
  paid: { sessionId: string; tier: PaidTier; currency: Currency; amount: number; periodEnd: string },
): Promise<boolean> =>
  (await insertOwn(tx, scope, 'billingPayments', { ...paid, createdAt: scope.now })
    .onConflict((conflict) => conflict.columns(['accountId', 'sessionId']).doNothing())
    .returning('sessionId')
    .executeTakeFirst()) !== undefined

type Written = { tier: PaidTier; currency: Currency; status: 'active' | 'canceled'; currentPeriodEnd: string }

export const save = (tx: Tx, scope: Scope, row: Written) => {
  const values = { ...row, lapsesAt: lapseOf(row), updatedAt: scope.now }
  return insertOwn(tx, scope, 'billingSubscriptions', {
    ...values,
    id: newId('billingSubscription'),
    createdAt: scope.now,
  })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(values))
    .execute()
}

/** Workspaces whose plan ran out and that nobody has told yet, the oldest first. */
export const listLapsed = (db: WriteDb, now: string, limit: number) =>
  askReachable(db, { table: 'billingSubscriptions', where: 'lapses_at <= $1', values: [now] }, (of) =>
    db
      .selectFrom('billingSubscriptions')
      .select(['accountId'])
      .where('lapsesAt', '<=', now)
      .$if(of !== null, (rows) => rows.where('accountId', 'in', of ?? []))
      .orderBy('lapsesAt')
      .limit(limit)
      .execute(),
  )

/** Whether the plan ran out and this is the first to say so. */
export const endLapse = async (tx: Tx, scope: Scope): Promise<boolean> =>
  (await updateOwn(tx, scope, 'billingSubscriptions')
    .set({ lapsesAt: null, updatedAt: scope.now })
    .where('lapsesAt', '<=', scope.now)
    .returning('id')
    .executeTakeFirst()) !== undefined
