import { namedWrite, type Tx } from '../../../platform/db/open.ts'
import { writeStatement } from '../../../platform/db/statement.ts'
import type { Scope } from '../../../platform/scope.ts'

const REVOKE_LINKS = writeStatement(
  'customer_revoke_receipt_links',
  `delete from receipt_links l where l.account_id = $1 and l.id in (
      select r.id from receipt_links r join sales s on s.account_id = r.account_id and s.id = r.sale_id
        where r.account_id = $1 and s.account_id = $1 and s.customer_id = $2 order by r.id for update of r)`,
)

const REMOVE_JOBS = writeStatement(
  'customer_remove_print_jobs',
  `delete from print_jobs p where p.account_id = $1 and p.kind = 'RECEIPT' and p.id in (
      select j.id from print_jobs j join sales s on s.account_id = j.account_id and s.id = j.sale_id
        where j.account_id = $1 and s.account_id = $1 and s.customer_id = $2 order by j.id for update of j)`,
)

/** Removes the printed receipts of the customer's sales, which name the customer. */
export const removeReceiptJobs = (tx: Tx, scope: Scope, customerId: string) =>
  namedWrite(tx, REMOVE_JOBS, [scope.accountId, customerId])

/** Revokes the public receipts of the customer's sales. */
export const revokeReceiptLinks = (tx: Tx, scope: Scope, customerId: string) =>
  namedWrite(tx, REVOKE_LINKS, [scope.accountId, customerId])
