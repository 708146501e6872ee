/**
 * Every event the service announces, declared once (B-event-1). `data` names the keys of the payload; each holds
 * the resource as its GET route returns it. The event-types route and docs/events.md print this table, and a test
 * fails for an entry that nobody emits.
 */
export const EVENTS = {
  'service.sale.parked.v1': { group: 'sale', meaning: 'A bill was opened and held.', data: ['sale'] },
  'service.sale.updated.v1': {
    group: 'sale',
    meaning: 'The lines or details of a held bill changed.',
    data: ['sale'],
  },
  'service.sale.completed.v1': { group: 'sale', meaning: 'A sale was completed.', data: ['sale'] },
  'service.sale.voided.v1': { group: 'sale', meaning: 'A completed sale was voided.', data: ['sale'] },
  'service.sale.discarded.v1': { group: 'sale', meaning: 'A held bill was discarded.', data: ['sale'] },
  'service.payment.received.v1': { group: 'payment', meaning: 'A tender became PAID.', data: ['payment'] },
  'service.payment.failed.v1': { group: 'payment', meaning: 'A tender became FAILED.', data: ['payment'] },
  'service.payment.unapplied.v1': {
    group: 'payment',
    meaning: 'Money that the payment partner confirmed belongs to no bill; give it back.',
    data: ['payment'],
  },
  'service.sale.refunded.v1': {
    group: 'sale',
    meaning: 'Money of a completed sale was given back.',
    data: ['sale', 'refund'],
  },
  'service.stock.adjusted.v1': {
    group: 'stock',
    meaning: 'A stock level was adjusted by hand.',
    data: ['level', 'movement'],
  },
  'service.stock.transferred.v1': {
    group: 'stock',
    meaning: 'Goods moved between outlets.',
    data: ['transferId', 'from', 'to'],
  },
  'service.stock.received.v1': {
    group: 'stock',
    meaning: 'Goods came in: a batch or a purchase order receipt.',
    data: ['batch', 'level', 'purchaseOrder'],
  },
  'service.stock.low.v1': {
    group: 'stock',
    meaning: 'A level fell to or under its reorder point.',
    data: ['level'],
  },
  'service.product.created.v1': { group: 'product', meaning: 'A product was created.', data: ['product'] },
  'service.product.updated.v1': {
    group: 'product',
    meaning: 'A product, a variant or a recipe changed.',
    data: ['product'],
  },
  'service.product.deleted.v1': {
    group: 'product',
    meaning: 'A product was deleted or deactivated.',
    data: ['product'],
  },
  'service.customer.created.v1': {
    group: 'customer',
    meaning: 'A customer was added to the book.',
    data: ['customer'],
  },
  'service.customer.updated.v1': { group: 'customer', meaning: 'A customer changed.', data: ['customer'] },
  'service.customer.deleted.v1': {
    group: 'customer',
    meaning: 'A customer was deleted or erased.',
    data: ['customer'],
  },
  'service.loyalty.changed.v1': {
    group: 'customer',
    meaning: 'Points were earned, redeemed, adjusted or reversed.',
    data: ['customerId', 'entry'],
  },
  'service.gift_card.issued.v1': {
    group: 'gift card',
    meaning: 'A gift card or store credit was issued.',
    data: ['giftCard'],
  },
  'service.gift_card.redeemed.v1': {
    group: 'gift card',
    meaning: 'A gift card paid for something.',
    data: ['giftCard'],
  },
  'service.gift_card.voided.v1': {
    group: 'gift card',
    meaning: 'A gift card was cancelled.',
    data: ['giftCard'],
  },
  'service.shift.opened.v1': { group: 'shift', meaning: 'A cashier opened a shift.', data: ['shift'] },
  'service.shift.closed.v1': { group: 'shift', meaning: 'A shift was closed and counted.', data: ['shift'] },
  'service.purchase_order.ordered.v1': {
    group: 'purchase order',
    meaning: 'An order went to the supplier.',
    data: ['purchaseOrder'],
  },
  'service.purchase_order.received.v1': {
    group: 'purchase order',
    meaning: 'Goods of an order came in, in part or whole.',
    data: ['purchaseOrder'],
  },
  'service.purchase_order.cancelled.v1': {
    group: 'purchase order',
    meaning: 'An order was cancelled.',
    data: ['purchaseOrder'],
  },
  'service.kitchen.ticket_ready.v1': {
    group: 'kitchen',
    meaning: 'Everything on a ticket is ready to serve.',
    data: ['ticket'],
  },
} as const satisfies Record<string, { group: string; meaning: string; data: readonly string[] }>

/**
 * What the audit log alone keeps: rows beside the others that are never offered to webhooks, so their names do not
 * begin with `service.` (B-event-3). docs/events.md prints this table too.
 */
export const AUDIT_EVENTS = {
  'audit.outlet.deleted.v1': {
    meaning: 'An outlet that never sold was deleted with everything it had; `removed` counts that by kind.',
    data: ['outlet', 'removed', 'actor'],
  },
} as const satisfies Record<string, { meaning: string; data: readonly string[] }>

/** Lines of a resource that an event carries; the rest is read by GET, so that a body stays small enough to deliver. */
const EVENT_LINES = 100

/** The resource as an event carries it: its first lines, and `truncated` when there are more (B-event-1). */
export const shortened = <R extends { items: readonly unknown[] }>(resource: R): R & { truncated?: true } =>
  resource.items.length <= EVENT_LINES
    ? resource
    : { ...resource, items: resource.items.slice(0, EVENT_LINES), truncated: true }

type Declared = typeof EVENTS & typeof AUDIT_EVENTS
export type EventType = keyof Declared
/** Keys that do not apply to an occasion are left out. */
export type EventData<T extends EventType> = Partial<Record<Declared[T]['data'][number], unknown>>
