import { namedWrite, type Tx } from '../../../platform/db/open.ts'
import { writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

const REVOKE_LINKS = writeStatement(
  'customer_revoke_receipt_links',
  `delete from receipt_links l where l.account_id = $1 and l.id in (
      select r.id from receipt_links r join sales s on s.account_id = r.account_id and s.id = r.sale_id
        where r.account_id = $1 and s.account_id = $1 and s.customer_id = $2 order by r.id for update of r)`,
)

/** Revokes the public receipts of the customer's sales. */
export const revokeReceiptLinks = (tx: Tx, scope: Scope, customerId: string) =>
  namedWrite(tx, REVOKE_LINKS, [scope.accountId, customerId])
