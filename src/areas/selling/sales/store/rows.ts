import { rowsInsert } from '../../../../platform/db/insert-rows.ts'
import type { Item, Payment, Sale } from '../sale/types.ts'
import type { PlainMove } from './change.ts'
import { ITEM_COLUMNS, PAYMENT_COLUMNS, SALE_COLUMNS } from './columns.ts'

// Rows of a sale, each kind by one insert. Items and payments are wide and mostly empty.

export const insertSaleRow = rowsInsert<Sale>({
  name: 'sale_row_insert',
  into: 'sales',
  shared: { number: 'text' },
  columns: { id: 'text', outlet_id: 'text', created_at: 'timestamptz', ...SALE_COLUMNS },
  rare: [
    'note',
    'loyalty_rupiah_per_point',
    'discount_code',
    'redeem_points',
    'delivery_draft',
    'voided_at',
    'void_reason',
    'offline_ref',
    'service_charge_bps',
    'service_charge_base_kind',
    'service_charge_taxable',
    'service_charge_base',
    'service_charge_amount',
    'service_charge_tax',
    'taxes',
    'cash_rounding',
    'channel',
    'promotions',
    'voucher_codes',
  ],
})

export const insertItems = rowsInsert<Item>({
  name: 'sale_items_insert',
  into: 'sale_items',
  shared: { sale_id: 'text' },
  columns: { id: 'text', ...ITEM_COLUMNS },
  rare: [
    'pack',
    'sold_by',
    'label_price',
    'modifiers',
    'note',
    'tax_rate_bps',
    'price_list_id',
    'promotions',
    'components',
    'batches',
    'station',
    'kitchen_updated_at',
  ],
  as: 'json',
})

export const insertPayments = rowsInsert<Payment>({
  name: 'payments_insert',
  into: 'payments',
  shared: { sale_id: 'text' },
  columns: { id: 'text', ...PAYMENT_COLUMNS },
  rare: ['reference', 'provider_ref', 'gift_card_id', 'corrections', 'due_date'],
  as: 'json',
})

type Level = {
  variantId: string
  id: string
  quantity: number
  reorderPoint: number | null
  createdAt: string
}

/**
 * Lowers levels, creates the missing ones, and returns each with its new quantity. They are locked in the given
 * order.
 */
export const lowerLevels = rowsInsert<Pick<Level, 'variantId' | 'id' | 'quantity'>, Level>({
  name: 'sale_lower_levels',
  into: 'stock_levels as l',
  shared: { outlet_id: 'text', created_at: 'timestamptz', updated_at: 'timestamptz' },
  columns: { variant_id: 'text', id: 'text', quantity: 'int' },
  rest: `on conflict (account_id, outlet_id, variant_id) do update
      set quantity = l.quantity + excluded.quantity, updated_at = excluded.updated_at
    returning variant_id as "variantId", id, quantity, reorder_point as "reorderPoint", created_at as "createdAt"`,
})

type Movement = Pick<PlainMove, 'variantId' | 'unitCost'> & {
  id: string
  qtyDelta: number
  balanceAfter: number
}

export const insertMovements = rowsInsert<Movement>({
  name: 'sale_insert_movements',
  into: 'stock_movements',
  shared: {
    outlet_id: 'text',
    type: 'text',
    transaction_id: 'text',
    actor_id: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  columns: { id: 'text', variant_id: 'text', qty_delta: 'int', balance_after: 'int', unit_cost: 'bigint' },
})
