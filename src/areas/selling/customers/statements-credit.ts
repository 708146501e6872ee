import { namedWrite, type Tx } from '../../../platform/db/open.ts'
import { writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

// The limit is compared in the statement that raises the balance: of two sales at the same time, the second waits for
// the row and compares with the balance of the first.
const RAISE = writeStatement(
  'customer_credit_raise',
  `update customers set credit_balance = credit_balance + $3, updated_at = $5
    where account_id = $1 and id = $2 and is_active and ($4 or credit_balance + $3 <= credit_limit)
    returning credit_balance as balance`,
)
const LOWER = writeStatement(
  'customer_credit_lower',
  `update customers set credit_balance = credit_balance - $3, updated_at = $4
    where account_id = $1 and id = $2 returning credit_balance as balance`,
)

type Move = { customerId: string; amount: number }

/** Adds to what the customer owes. Returns the new balance; undefined above the limit, or for an erased customer. */
export async function raiseCredit(
  tx: Tx,
  scope: Scope,
  { customerId, amount, isOverLimitAllowed }: Move & { isOverLimitAllowed: boolean },
): Promise<number | undefined> {
  const values = [scope.accountId, customerId, amount, isOverLimitAllowed, scope.now]
  const [row] = await namedWrite<{ balance: number }>(tx, RAISE, values)
  return row?.balance
}

/** Takes from what the customer owes and returns the new balance. */
export async function lowerCredit(
  tx: Tx,
  scope: Scope,
  { customerId, amount }: Move,
): Promise<number | undefined> {
  const [row] = await namedWrite<{ balance: number }>(tx, LOWER, [
    scope.accountId,
    customerId,
    amount,
    scope.now,
  ])
  return row?.balance
}
