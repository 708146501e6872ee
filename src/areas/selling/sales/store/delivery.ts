import { writeStatement } from '../../../../platform/db/statement.ts'

/** Where the shipment of a sale is: of the one that is named, or, where `$6` is true, of a new one. */
export const STAMP_DELIVERY = writeStatement(
  'sale_stamp_delivery',
  `update sales s set shipment_id = $3, delivery_status = $4, updated_at = $5
    where s.account_id = $1 and s.id = $2 and ($6::boolean or s.shipment_id = $3)`,
)
