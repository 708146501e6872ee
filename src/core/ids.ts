import { randomFillSync } from 'node:crypto'
import { encodeTime, monotonicFactory } from 'ulid'

/** Every id is this prefix, an underscore and an upper-case ULID (B-ids-1). */
export const PREFIX = {
  account: 'acc',
  member: 'usr',
  mail: 'mal',
  sentMail: 'snt',
  session: 'ses',
  request: 'req',
  delegation: 'dlg',
  apiKey: 'ak',
  outlet: 'out',
  floor: 'flr',
  table: 'tbl',
  category: 'cat',
  product: 'prd',
  variant: 'var',
  recipeComponent: 'rcp',
  modifierGroup: 'mdg',
  modifier: 'mod',
  stockLevel: 'lvl',
  stockMovement: 'stk',
  stockBatch: 'bat',
  transfer: 'trf',
  settings: 'pos',
  billingSubscription: 'bsub',
  upload: 'upl',
  event: 'evt',
  webhookSubscription: 'whs',
  webhookDelivery: 'whd',
  sale: 'txn',
  saleItem: 'tli',
  payment: 'pay',
  refund: 'rfd',
  salePromotion: 'prm',
  shift: 'shf',
  cashMovement: 'csm',
  supplier: 'sup',
  purchaseOrder: 'pur',
  purchaseOrderItem: 'poi',
  customer: 'cus',
  loyaltyEntry: 'loy',
  giftCard: 'gft',
  giftCardEntry: 'gce',
  giftCardMiss: 'gcm',
  shipment: 'shp',
  giftCardMove: 'gcv',
  blogPost: 'blg',
  cartReminder: 'abr',
  referralLink: 'ref',
  referralAttribution: 'rat',
} as const

export type IdKind = keyof typeof PREFIX
export type Id<K extends IdKind> = `${(typeof PREFIX)[K]}_${string}`

/**
 * Random bytes are fetched by the page: one system call for each of the 16 characters of a ULID, as the library does
 * it by itself, was a twentieth of the time of a sale.
 */
const pool = new Uint8Array(4096)
let drawn = pool.length
function random(): number {
  if (drawn === pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  return (pool[drawn++] ?? 0) / 256
}

/** Monotonic within the process: ids made in one millisecond still sort in the order they were made. */
let ulid = monotonicFactory(random)
let latestMs = 0
// oxlint-disable-next-line no-restricted-globals -- until the clock of the service is set
let timeMs = Date.now

/**
 * A clock that is put back by more than this was wrong before. Ids follow it, or they would carry its mistake for as long
 * as the process lives; a smaller step they sit out, in order.
 */
const PUT_BACK_MS = 60_000

/** Ids carry the service's own time, so lists in order of id are in order of creation. Called once, at start. */
export const setIdTime = (now: () => number) => {
  timeMs = now
}

/** A ULID on its own, for what is not a record. */
export function newUlid(): string {
  const ms = timeMs()
  const isPutBack = ms < latestMs - PUT_BACK_MS
  if (isPutBack) ulid = monotonicFactory(random)
  latestMs = isPutBack ? ms : Math.max(latestMs, ms)
  return ulid(ms)
}

export const newId = <K extends IdKind>(kind: K): Id<K> => `${PREFIX[kind]}_${newUlid()}`

/** The edge of a range of ids by time: no id made at `epochMs` or later sorts before it, none made earlier after it. */
export const firstIdAt = (kind: IdKind, epochMs: number): string => `${PREFIX[kind]}_${encodeTime(epochMs)}`
