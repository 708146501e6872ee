import { createHash, randomFillSync } from 'node:crypto'
import { decodeTime, encodeTime, monotonicFactory } from 'ulid'
import { addMs } from './time.ts'

/** Every id is this prefix, an underscore and an upper-case ULID (B-ids-1). */
export const PREFIX = {
  account: 'acc',
  member: 'usr',
  mail: 'mal',
  sentMail: 'snt',
  session: 'ses',
  till: 'til',
  approval: 'apr',
  request: 'req',
  delegation: 'dlg',
  apiKey: 'ak',
  outlet: 'out',
  floor: 'flr',
  table: 'tbl',
  category: 'cat',
  product: 'prd',
  variant: 'var',
  pack: 'pck',
  recipeComponent: 'rcp',
  modifierGroup: 'mdg',
  modifier: 'mod',
  stockLevel: 'lvl',
  stockMovement: 'stk',
  stockBatch: 'bat',
  transfer: 'trf',
  stockCount: 'cnt',
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
  receiptLink: 'rcl',
  printer: 'ptr',
  printJob: 'pjb',
  drawerKick: 'dkk',
  shift: 'shf',
  cashMovement: 'csm',
  supplier: 'sup',
  purchaseOrder: 'pur',
  purchaseOrderItem: 'poi',
  customer: 'cus',
  customerGroup: 'cgr',
  priceList: 'prl',
  pricing: 'prv',
  promotion: 'pro',
  loyaltyEntry: 'loy',
  creditEntry: 'cce',
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
 * Fetches random bytes in blocks: the library's one system call for each of the 16 characters of a ULID took a
 * twentieth of the time of a sale.
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

/** Monotonic within the process: ids created in the same millisecond still sort in creation order. */
let ulid = monotonicFactory(random)
let latestMs = 0
// oxlint-disable-next-line no-restricted-globals -- until the clock of the service is set
let timeMs = Date.now

/**
 * A clock set back by more than this was wrong before, so ids follow it; otherwise they would keep the wrong time
 * until the process ends. After a smaller step, ids keep the later time and their order.
 */
const PUT_BACK_MS = 60_000

/** Ids use the service's clock, so sorting by id is sorting by creation time. Called once, at startup. */
export const setIdTime = (now: () => number) => {
  timeMs = now
}

/** A ULID without a prefix, for values that are not records. */
export function newUlid(): string {
  const ms = timeMs()
  const isPutBack = ms < latestMs - PUT_BACK_MS
  if (isPutBack) ulid = monotonicFactory(random)
  latestMs = isPutBack ? ms : Math.max(latestMs, ms)
  return ulid(ms)
}

export const newId = <K extends IdKind>(kind: K): Id<K> => `${PREFIX[kind]}_${newUlid()}`

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_LENGTH = 10
const RANDOM_LENGTH = 16

/**
 * The id that the same words always make, for a record that a retry must name like the first attempt. It sorts by the
 * creation time of `owner`.
 */
export function repeatableId<K extends IdKind>(kind: K, owner: string, words: readonly string[]): Id<K> {
  const hash = createHash('sha256')
    .update(JSON.stringify([kind, owner, ...words]))
    .digest()
  const time = owner.slice(owner.indexOf('_') + 1).slice(0, TIME_LENGTH)
  const letters = Array.from(hash.subarray(0, RANDOM_LENGTH), (byte) => CROCKFORD[byte % CROCKFORD.length])
  return `${PREFIX[kind]}_${time}${letters.join('')}`
}

/** The lower bound of ids created at `epochMs` or later: every older id sorts before it. */
export const firstIdAt = (kind: IdKind, epochMs: number): string => `${PREFIX[kind]}_${encodeTime(epochMs)}`

/** The instant at which an id was created. */
export const instantOfId = (id: string): string =>
  addMs('1970-01-01T00:00:00.000Z', decodeTime(id.slice(id.indexOf('_') + 1)))
