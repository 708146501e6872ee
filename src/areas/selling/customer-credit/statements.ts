import { newId } from '../../../core/ids.ts'
import { type Db, named, namedWrite, type Tx } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { ChargeShare, OpenCharge } from './rules.ts'
import type { CreditEntry } from './schema.ts'

const OPEN = `select id, customer_id as "customerId", sale_id as "saleId", payment_id as "paymentId", open
    from customer_credit_entries where account_id = $1`
const LOCK_OF_CUSTOMER = statement(
  'credit_lock_customer',
  `${OPEN} and customer_id = $2 and open > 0 order by id for no key update`,
)
const LOCK_OF_SALE = statement(
  'credit_lock_sale',
  `${OPEN} and sale_id = $2 and open > 0 order by id for no key update`,
)
const TAKE = writeStatement(
  'credit_take',
  `update customer_credit_entries e set open = e.open - x.taken, updated_at = $4
    from unnest($2::text[], $3::bigint[]) as x(id, taken) where e.account_id = $1 and e.id = x.id`,
)
const INSERT = writeStatement(
  'credit_insert',
  `insert into customer_credit_entries (account_id, id, customer_id, type, amount, open, balance_after, due_date, sale_id,
      payment_id, refund_id, outlet_id, shift_id, method, actor_id, approved_by, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17)`,
)
const EARLIEST_DUE = statement(
  'credit_earliest_due',
  `select min(due_date)::text as day from customer_credit_entries where account_id = $1 and customer_id = $2 and open > 0`,
)

/** The charges of a customer that are not fully paid, oldest first, locked until the transaction ends. */
export const lockOfCustomer = (tx: Tx, scope: Scope, customerId: string): Promise<OpenCharge[]> =>
  named<OpenCharge>(tx, LOCK_OF_CUSTOMER, [scope.accountId, customerId])

/** The charges of a sale that are not fully paid, oldest first, locked until the transaction ends. */
export const lockOfSale = (tx: Tx, scope: Scope, saleId: string): Promise<OpenCharge[]> =>
  named<OpenCharge>(tx, LOCK_OF_SALE, [scope.accountId, saleId])

/** Lowers `open` of charges that the transaction has locked. */
export const take = (tx: Tx, scope: Scope, charges: readonly ChargeShare[]) =>
  namedWrite(tx, TAKE, [
    scope.accountId,
    charges.map(({ id }) => id),
    charges.map(({ taken }) => taken),
    scope.now,
  ])

type EntryIn = Pick<CreditEntry, 'customerId' | 'type' | 'amount' | 'open' | 'balanceAfter' | 'outletId'> &
  Partial<CreditEntry>

/** Inserts an entry. Call it after the balance was changed: the lock keeps the entries in the order of their balances. */
export async function insertEntry(tx: Tx, scope: Scope, input: EntryIn): Promise<CreditEntry> {
  const entry: CreditEntry = {
    id: newId('creditEntry'),
    dueDate: null,
    saleId: null,
    paymentId: null,
    refundId: null,
    shiftId: null,
    method: null,
    approvedBy: null,
    ...input,
    actorId: scope.actor.id,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
  await namedWrite(tx, INSERT, [
    scope.accountId,
    entry.id,
    entry.customerId,
    entry.type,
    entry.amount,
    entry.open,
    entry.balanceAfter,
    entry.dueDate,
    entry.saleId,
    entry.paymentId,
    entry.refundId,
    entry.outletId,
    entry.shiftId,
    entry.method,
    entry.actorId,
    entry.approvedBy,
    scope.now,
  ])
  return entry
}

export async function earliestDue(db: Db, scope: Scope, customerId: string): Promise<string | null> {
  const [row] = await named<{ day: string | null }>(db, EARLIEST_DUE, [scope.accountId, customerId])
  return row?.day ?? null
}
