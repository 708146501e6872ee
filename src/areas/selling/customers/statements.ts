import { type Db, named } from '../../../platform/db/open.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

const REFERENCED = statement(
  'customer_referenced',
  `select exists (select 1 from sales where account_id = $1 and customer_id = $2)
    or exists (select 1 from gift_cards where account_id = $1 and customer_id = $2)
    or exists (select 1 from loyalty_entries where account_id = $1 and customer_id = $2)
    or exists (select 1 from customer_credit_entries where account_id = $1 and customer_id = $2)
    or exists (select 1 from cart_reminders where account_id = $1 and customer_id = $2) as referenced`,
)

/**
 * Returns true if a sale, gift card, ledger entry or reminder refers to the customer, so that the record must stay
 * (B-customer-2). A reminder keeps its customer when its bill gets another one.
 */
export async function isReferenced(db: Db, scope: Scope, id: string): Promise<boolean> {
  const [row] = await named<{ referenced: boolean }>(db, REFERENCED, [scope.accountId, id])
  return row?.referenced ?? true
}
