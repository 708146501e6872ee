import { IN_VAIN } from '../../../../core/shipments.ts'
import { named, type Tx } from '../../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../../platform/db/statement.ts'
import type { Scope } from '../../../../platform/scope.ts'

/** The shipment status of a sale: of the named shipment, or, if `$6` is true, of a new one. */
export const STAMP_DELIVERY = writeStatement(
  'sale_stamp_delivery',
  `update sales s set shipment_id = $3, delivery_status = $4, updated_at = $5
    where s.account_id = $1 and s.id = $2 and ($6::boolean or s.shipment_id = $3)`,
)

const IS_SENT = statement(
  'sale_is_sent',
  `select 1 from shipments p where p.account_id = $1 and p.sale_id = $2 and p.status <> all($3::text[])
    union all select 1 from shipment_requests r where r.account_id = $1 and r.sale_id = $2`,
)

/** Whether the sale has a shipment, or a request for one is in flight. The result holds while the sale is locked. */
export const isSent = async (tx: Tx, scope: Scope, saleId: string): Promise<boolean> =>
  (await named(tx, IS_SENT, [scope.accountId, saleId, IN_VAIN])).length > 0
