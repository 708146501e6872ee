import { type Db, named, namedWrite, type Tx, type WriteDb } from '../../../platform/db/open.ts'
import { insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'
import { askReachable } from '../../../platform/sharding/holders.ts'
import { DEFAULTS } from './rules.ts'
import type { Cart, CartPatch, Reminder } from './schema.ts'
import { CLAIM, CLOSE, POSTPONE, REMINDING, REMINDING_OF, SCHEDULE, STATS } from './statements.ts'

type Account = Pick<Scope, 'accountId'>

export const find = (db: Db, scope: Account): Promise<Cart | undefined> =>
  ownRows(db, scope, 'abandonedCartSettings')
    .select([
      'enabled',
      'delayHours',
      'emailSubject',
      'emailPreview',
      'discountCodeId',
      'marketingCampaignId',
      'createdAt',
      'updatedAt',
    ])
    .executeTakeFirst()

/** Inserts or updates the row. Two concurrent first writers create one row with the fields of both. */
export const merge = (tx: Tx, scope: Scope, patch: CartPatch) =>
  insertOwn(tx, scope, 'abandonedCartSettings', {
    ...DEFAULTS,
    ...patch,
    createdAt: scope.now,
    updatedAt: scope.now,
  })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ ...patch, updatedAt: scope.now }))
    .execute()

/** Lists reminders, newest first, each with the current address of the customer. */
export const listReminders = (db: Db, { accountId }: Scope, limit: number): Promise<Reminder[]> =>
  db
    .selectFrom('cartReminders as r')
    .innerJoin('customers as c', 'c.id', 'r.customerId')
    .where('r.accountId', '=', accountId)
    .where('c.accountId', '=', accountId)
    .select([
      'r.id',
      'r.saleId as transactionId',
      'r.customerId',
      'c.email',
      'r.cartTotal',
      'r.status',
      'r.scheduledAt',
      'r.sentAt',
      'r.createdAt',
      'r.updatedAt',
    ])
    .orderBy('r.scheduledAt', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute()

export async function sentSince(db: Db, { accountId }: Scope, since: string) {
  const [row] = await named<{ sent: number; recovered: number; revenue: number }>(db, STATS, [
    accountId,
    since,
  ])
  return row ?? { sent: 0, recovered: 0, revenue: 0 }
}

export type ReminderWorkspace = { accountId: AccountId; delayHours: number; enabled: boolean }

export const listReminding = (db: WriteDb, after: string, limit: number) =>
  askReachable<ReminderWorkspace>(
    db,
    { table: 'abandonedCartSettings', where: 'account_id > $1', values: [after] },
    (of) =>
      of === null ? named(db, REMINDING, [after, limit]) : named(db, REMINDING_OF, [after, limit, of]),
    limit,
  )

/** Creates reminders and returns their number. */
export async function schedule(
  db: WriteDb,
  { accountId }: Account,
  { now, from, to, limit }: { now: string; from: string; to: string; limit: number },
): Promise<number> {
  return (await namedWrite(db, SCHEDULE, [accountId, now, from, to, limit])).length
}

/** Bills last changed before `oldest` are no longer reminded. */
export const close = (
  db: WriteDb,
  { accountId }: Account,
  { now, oldest }: { now: string; oldest: string },
) => namedWrite(db, CLOSE, [accountId, now, oldest])

/** A claimed reminder with the content of its mail, the address, and the number of attempts including this one. */
export type DueReminder = {
  id: string
  attempts: number
  name: string
  email: string | null
  total: number
  items: { name: string; quantity: number }[]
}

/** Claims a due reminder. Returns undefined if none is due. */
export async function claim(
  db: WriteDb,
  { accountId }: Account,
  { now, until, oldest }: { now: string; until: string; oldest: string },
): Promise<DueReminder | undefined> {
  const [due] = await namedWrite<DueReminder>(db, CLAIM, [accountId, now, until, oldest])
  return due
}

export const postpone = (
  db: WriteDb,
  { accountId }: Account,
  id: string,
  { now, until }: { now: string; until: string },
) => namedWrite(db, POSTPONE, [accountId, now, until, id])

export type ReminderOutcome =
  | { status: 'sent'; sentAt: string; dueAt: null }
  | { status: 'failed'; sentAt: null; dueAt: null }
  | { status: 'scheduled'; sentAt: null; dueAt: string }

/**
 * Stores the outcome of an attempt. Changes nothing if the bill was closed meanwhile, because its reminder is
 * deleted.
 */
export const record = (
  db: WriteDb,
  account: Account,
  { id, outcome, now }: { id: string; outcome: ReminderOutcome; now: string },
) =>
  updateOwn(db, account, 'cartReminders')
    .set({ ...outcome, updatedAt: now })
    .where('id', '=', id)
    .where('status', '=', 'scheduled')
    .execute()
