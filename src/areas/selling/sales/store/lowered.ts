import { snakeOf } from '../../../../platform/db/names.ts'
import { type EventRow, eventRow } from '../../../../platform/events/outbox.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { hasFallen, stockLow } from '../../../stock/inventory/index.ts'
import type { StockWarning } from '../schema.ts'
import type { PlainMove } from './change.ts'

// Shortages and levels that have become low, each in SQL and in code. In SQL a lowered level is the row `w`: a
// `PlainMove` with the level that it left.

export type LoweredLevel = PlainMove & {
  id: string
  outletId: string
  quantity: number
  reorderPoint: number | null
  createdAt: string
}

/** The warnings about levels below zero, as JSON. */
export const SHORTAGES = `json_agg(json_build_object('variantId', w.variant_id, 'productName', w.product_name,
        'variantName', w.variant_name, 'reason', 'SHORT', 'requested', w.qty, 'available', greatest(w.quantity + w.qty, 0), 'level', w.quantity)
      order by w.variant_id)::text`

type Names = Pick<PlainMove, 'variantId' | 'productName' | 'variantName'>
export const shortage = (
  { variantId, productName, variantName }: Names,
  found: { requested: number; available: number; level: number },
): StockWarning => ({ variantId, productName, variantName, reason: 'SHORT', ...found })

export const isShort = ({ quantity }: LoweredLevel) => quantity < 0
export const shortageOf = (lowered: LoweredLevel) => {
  const { qty, quantity } = lowered
  return shortage(lowered, { requested: qty, available: Math.max(quantity + qty, 0), level: quantity })
}

/** Whether the sale took the level from above its reorder point to or under it (B-stock-8). */
export const HAS_CROSSED = 'w.quantity <= w.reorder_point and w.quantity + w.qty > w.reorder_point'

export const hasCrossed = ({ quantity, qty, reorderPoint }: LoweredLevel) =>
  hasFallen({ before: quantity + qty, after: quantity, reorderPoint })

/** What the event shows of the level, besides its times. */
const LEVEL_FIELDS = [
  'id',
  'outletId',
  'variantId',
  'productId',
  'productName',
  'variantName',
  'sku',
  'soldBy',
  'quantity',
  'reorderPoint',
] as const
type LevelFields = Pick<LoweredLevel, (typeof LEVEL_FIELDS)[number]>
const LEVEL_SQL = LEVEL_FIELDS.map((field) => `'${field}', w.${snakeOf(field)}`).join(', ')

/** The body of the event about such a level of a workspace; `stamp` is SQL for when it happened, as text. */
export const lowBody = (accountId: string, stamp: string) =>
  `json_build_object('id', w.low_event_id, 'type', '${stockLow.name}', 'timestamp', ${stamp}, 'accountId', ${accountId}, 'data',
        json_build_object('level', json_build_object(${LEVEL_SQL}, 'isLow', true,
          'createdAt', to_char(w.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt', ${stamp})))::text`

export function lowEvent(scope: Scope, lowered: LoweredLevel): EventRow {
  const fields = Object.fromEntries(LEVEL_FIELDS.map((field) => [field, lowered[field]])) as LevelFields
  const level = { ...fields, isLow: true, createdAt: lowered.createdAt, updatedAt: scope.now }
  // The id sorts before the sale in the log: the movement was made first.
  return eventRow(scope, stockLow, level.id, { level }, `evt_${lowered.movementId.slice(4)}`)
}
