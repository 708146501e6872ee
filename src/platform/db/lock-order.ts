/**
 * The order in which transactions take locks, the hottest row last. ARCHITECTURE.md prints this list and states its rules. A
 * transaction takes a part of it, each row once.
 */
export const LOCK_ORDER = [
  'idempotency key, or the notice of a partner',
  'reference of an offline sale',
  'purchase order',
  'stock count',
  'sales by id',
  'customer groups by id',
  'their customers',
  'products by id',
  'categories by id',
  'variants by id',
  'modifier groups by id',
  'gift cards by id, then their movements at the partner',
  'balances of customers by id',
  'promotions by id',
  'tables by id',
  'account',
  'member',
  'till',
  'API keys',
  'outlet',
  'floor',
  "stock levels by outlet and variant, each outlet's with their batches by id",
  'shifts by id',
  'receipt counter',
  'payment session',
  'request for a shipment',
  'shipment',
  'promotion of a sale',
  'settings for a change of prices',
  'printers',
  'print jobs',
  'version of the catalogue',
] as const
export type Lock = (typeof LOCK_ORDER)[number]
