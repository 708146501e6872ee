import { newId } from '../../../core/ids.ts'
import { type Currency, lapseOf, type PaidTier, type PlanPeriod } from '../../../core/plans.ts'
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
  'following',
  'canceledAt',
  'lapsesAt',
  'createdAt',
  'updatedAt',
] as const
export type PlanSubscriptionRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const find = (db: Db, scope: { readonly accountId: AccountId }) =>
  ownRows(db, scope, 'billingSubscriptions').select(FIELDS).executeTakeFirst()

/** Locks the account until the transaction ends, so that payments and cancellations run one after another. */
export async function lock(tx: Tx, scope: Scope) {
  await ownRows(tx, scope, 'accounts').select('accountId').forNoKeyUpdate().execute()
  return find(tx, scope)
}

export type CheckoutRow = { sessionId: string; tier: PaidTier; currency: Currency; amount: number }

/**
 * Inserts a checkout. If the session is already stored, it does not change: the partner answered a retry with the
 * same session.
 */
export const insertCheckout = (
  tx: Tx,
  scope: Scope,
  opened: CheckoutRow & { expiresAt: string; checkAt: string },
) =>
  insertOwn(tx, scope, 'billingCheckouts', { ...opened, createdAt: scope.now })
    .onConflict((conflict) => conflict.columns(['accountId', 'sessionId']).doNothing())
    .execute()

export const findCheckout = (db: Db, scope: Scope, sessionId: string): Promise<CheckoutRow | undefined> =>
  ownRows(db, scope, 'billingCheckouts')
    .select(['sessionId', 'tier', 'currency', 'amount'])
    .where('sessionId', '=', sessionId)
    .executeTakeFirst()

/** Sets the time of the next check at the partner; null if its outcome is known. */
export const setCheck = (tx: Tx, scope: Scope, sessionId: string, checkAt: string | null) =>
  updateOwn(tx, scope, 'billingCheckouts').set({ checkAt }).where('sessionId', '=', sessionId).execute()

export type UnreportedCheckout = { accountId: string; sessionId: string; createdAt: string }

/**
 * Lists checkouts of all workspaces to check at the partner. Workspaces take turns, so that many checkouts of one delay
 * no others; of a workspace the longest overdue is first.
 */
export const listUnreported = (db: WriteDb, now: string, limit: number): Promise<UnreportedCheckout[]> =>
  askReachable(db, { table: 'billingCheckouts', where: 'check_at <= $1', values: [now] }, (of) =>
    db
      .selectFrom((all) =>
        all
          .selectFrom('billingCheckouts')
          .select(['accountId', 'sessionId', 'createdAt', 'checkAt'])
          .select(({ fn }) =>
            fn
              .agg<number>('row_number')
              .over((rows) => rows.partitionBy('accountId').orderBy('checkAt'))
              .as('turn'),
          )
          .where('checkAt', '<=', now)
          .$if(of !== null, (rows) => rows.where('accountId', 'in', of ?? []))
          .as('due'),
      )
      .select(['accountId', 'sessionId', 'createdAt'])
      .orderBy('turn')
      .orderBy('checkAt')
      .limit(limit)
      .execute(),
  )

export const isPaid = async (db: Db, scope: Scope, sessionId: string): Promise<boolean> =>
  (await ownRows(db, scope, 'billingPayments')
    .select('sessionId')
    .where('sessionId', '=', sessionId)
    .executeTakeFirst()) !== undefined

export type PaymentRow = CheckoutRow & { paidAt: string; createdAt: string }
export const insertPayment = (tx: Tx, scope: Scope, payment: PaymentRow) =>
  insertOwn(tx, scope, 'billingPayments', payment).execute()

export const listPayments = (db: Db, scope: Scope): Promise<PaymentRow[]> =>
  ownRows(db, scope, 'billingPayments')
    .select(['sessionId', 'tier', 'currency', 'amount', 'paidAt', 'createdAt'])
    .execute()

type PlanSubscription = PlanPeriod & {
  currency: Currency
  status: 'active' | 'canceled'
  following: readonly PlanPeriod[]
  canceledAt: string | null
}

export const save = (tx: Tx, scope: Scope, { following, ...row }: PlanSubscription) => {
  const values = {
    ...row,
    following: JSON.stringify(following),
    lapsesAt: following.length > 0 ? row.currentPeriodEnd : lapseOf({ ...row, following }),
    updatedAt: scope.now,
  }
  return insertOwn(tx, scope, 'billingSubscriptions', {
    ...values,
    id: newId('billingSubscription'),
    createdAt: scope.now,
  })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(values))
    .execute()
}

/** Lists workspaces whose plan has ended or changed without an announcement so far, oldest first. */
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

/** Returns true if the plan has ended and no other process has announced it. */
export const endLapse = async (tx: Tx, scope: Scope): Promise<boolean> =>
  (await updateOwn(tx, scope, 'billingSubscriptions')
    .set({ lapsesAt: null, updatedAt: scope.now })
    .where('lapsesAt', '<=', scope.now)
    .returning('id')
    .executeTakeFirst()) !== undefined
