import { stockLow } from '../../../stock/inventory/index.ts'

// Parts of statements about levels that a sale has lowered: the rows `w`, each a `PlainMove` with the level it left.

export const SHORTAGES = `json_agg(json_build_object('variantId', w.variant_id, 'productName', w.product_name,
        'variantName', w.variant_name, 'reason', 'SHORT', 'requested', w.qty, 'available', greatest(w.quantity + w.qty, 0), 'level', w.quantity)
      order by w.variant_id)::text`

/** Whether the sale took the level from above its reorder point to or under it (B-stock-8). */
export const HAS_CROSSED = 'w.quantity <= w.reorder_point and w.quantity + w.qty > w.reorder_point'

/** The body of the event about such a level of a workspace; `stamp` is SQL for when it happened, as text. */
export const lowBody = (accountId: string, stamp: string) =>
  `json_build_object('id', w.low_event_id, 'type', '${stockLow.name}', 'timestamp', ${stamp}, 'accountId', ${accountId}, 'data',
        json_build_object('level', json_build_object('id', w.id, 'outletId', w.outlet_id, 'variantId', w.variant_id, 'productId', w.product_id,
          'productName', w.product_name, 'variantName', w.variant_name, 'sku', w.sku, 'quantity', w.quantity,
          'reorderPoint', w.reorder_point, 'isLow', true,
          'createdAt', to_char(w.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt', ${stamp})))::text`
