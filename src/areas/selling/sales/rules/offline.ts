/** The required fields of an offline sale, and how far it may differ from the present shop (B-offline-1 to 6). */
import { isDeepStrictEqual } from 'node:util'
import { ApiError, malformed } from '../../../../core/errors.ts'
import { addMs, msBetween } from '../../../../core/time.ts'
import type { Warning } from '../../promotions/index.ts'

const OLDEST_MS = 30 * 24 * 3_600_000
/** The clock of a till may be ahead of ours. */
const AHEAD_MS = 5 * 60_000

type OfflineBody = {
  status?: string | undefined
  discountCode?: string | null | undefined
  redeemPoints?: number | null | undefined
  voucherCodes?: readonly string[] | null | undefined
  items: readonly { unitPrice?: number | undefined }[]
  payments?: readonly { method: string; status?: string | undefined }[] | undefined
}

/** Refuses what a till cannot decide without the service: 400 with the field. */
export function requireOfflineForm(body: OfflineBody): void {
  if (body.status === 'PARKED')
    throw malformed('status', 'An offline sale is completed: leave out status, or send COMPLETED')
  if (body.discountCode)
    throw malformed('discountCode', 'A discount code cannot be used offline: sell without it')
  if (body.voucherCodes?.length)
    throw malformed('voucherCodes', 'A voucher cannot be used offline: sell without it')
  if (body.redeemPoints)
    throw malformed('redeemPoints', 'Points cannot be redeemed offline: sell without them')
  body.items.forEach(({ unitPrice }, index) => {
    if (unitPrice === undefined)
      throw malformed(
        `items[${index}].unitPrice`,
        'An item of an offline sale needs the price that was printed',
      )
  })
  body.payments?.forEach(({ method, status }, index) => {
    if (method === 'GIFT_CARD')
      throw malformed(
        `payments[${index}].method`,
        'A gift card cannot be charged offline: use another method',
      )
    if (method === 'CREDIT')
      throw malformed(
        `payments[${index}].method`,
        'The limit of a customer cannot be checked offline: use another method',
      )
    if (status !== undefined && status !== 'PAID')
      throw malformed(`payments[${index}].status`, 'A payment of an offline sale has been made: send PAID')
  })
}

/** 400 unless the till sold within the last 30 days; its clock may be 5 minutes ahead. */
export function requireRecent(soldAt: string, now: string): void {
  if (msBetween(soldAt, now) > OLDEST_MS)
    throw malformed(
      'offline.soldAt',
      `The sale is more than 30 days old: the earliest instant accepted now is ${addMs(now, -OLDEST_MS)}`,
    )
  if (msBetween(now, soldAt) > AHEAD_MS)
    throw malformed(
      'offline.soldAt',
      'The sale lies in the future: correct the clock of the till and send it again',
    )
}

/** The customer holds the printed total, so another one is never stored. */
export function requirePrintedTotal(printed: number, computed: number): void {
  if (printed === computed) return
  throw new ApiError(
    'OFFLINE_TOTAL',
    `The items and terms make a total of ${computed}, but ${printed} was printed: correct the items or the terms and send the sale again`,
    { param: 'offline.printedTotal', details: { computed, printed } },
  )
}

export function requireSeller(mayChoose: boolean): void {
  if (mayChoose) return
  throw new ApiError(
    'FORBIDDEN',
    'This member has not used a PIN at this till in the last 30 days. Ask a manager to send the sale',
    { param: 'offline.soldBy' },
  )
}

type Goods = { productName: string; taxRateBps: number | null; isLive: boolean }
type SoldItem = {
  packId?: string | null | undefined
  variantId?: string | undefined
  unitPrice?: number | undefined
  taxRateBps?: number | null | undefined
}

/** The changes in the shop since the till sold. */
export function offlineWarnings(
  items: readonly SoldItem[],
  sellables: ReadonlyMap<string, Goods>,
  terms: {
    sent: Readonly<Record<string, unknown>>
    present: Readonly<Record<string, unknown>>
    /** The price of a variant or a pack when the till sold it, by the present price lists. */
    priceOf(variantId: string, packId: string | null): number | undefined
  },
): Warning[] {
  const goods = items.flatMap(({ variantId, packId, unitPrice, taxRateBps }, index): Warning[] => {
    const sellable = sellables.get(variantId ?? '')
    if (!sellable) return []
    const { productName, isLive } = sellable
    const price = terms.priceOf(variantId ?? '', packId ?? null)
    const changed: Warning = {
      code: 'PRICE_CHANGED',
      field: `items[${index}].unitPrice`,
      message: `${productName} was sold for ${unitPrice}; its price is ${price} now`,
    }
    const taxed: Warning = {
      code: 'TAX_CHANGED',
      field: `items[${index}].taxRateBps`,
      message: `${productName} has another tax rate now; the sale keeps what was printed`,
    }
    const isTaxSame = taxRateBps === undefined || taxRateBps === sellable.taxRateBps
    const gone: Warning = {
      code: 'NO_LONGER_SOLD',
      field: `items[${index}].variantId`,
      message: `${productName} is no longer sold`,
    }
    return [
      ...(unitPrice === price ? [] : [changed]),
      ...(isTaxSame ? [] : [taxed]),
      ...(isLive ? [] : [gone]),
    ]
  })
  const changedTerms = Object.keys(terms.sent).filter(
    (name) => !isDeepStrictEqual(terms.sent[name], terms.present[name]),
  )
  return [
    ...goods,
    ...changedTerms.map(
      (name): Warning => ({
        code: 'TERMS_CHANGED',
        field: `offline.terms.${name}`,
        message: `The outlet has changed ${name} since this sale; the sale keeps what was printed`,
      }),
    ),
  ]
}

export const CUSTOMER_ERASED: Warning = {
  code: 'CUSTOMER_ERASED',
  field: 'customerId',
  message: "This customer's data was erased after the sale; the sale is stored without the customer",
}

type NamedInSale = {
  tableId?: string | null | undefined
  offline: { soldBy?: string | undefined }
  items: readonly {
    modifiers?: readonly { name: string; modifierId?: string | null | undefined }[] | undefined
  }[]
}

/** The records that a sale names and that were removed since it was printed (B-offline-6). */
export function warningsOfRemoved(
  { tableId, offline, items }: NamedInSale,
  isGone: (id: string | null | undefined) => boolean,
): Warning[] {
  const removed = (field: string, message: string): Warning => ({ code: 'RECORD_REMOVED', field, message })
  return [
    ...(isGone(offline.soldBy)
      ? [
          removed(
            'offline.soldBy',
            'The member who sold was removed. You are the cashier of this sale; its money is in none of your shifts',
          ),
        ]
      : []),
    ...(isGone(tableId)
      ? [removed('tableId', 'The table was deleted after the sale; the sale is stored without it')]
      : []),
    ...items.flatMap(({ modifiers = [] }, index) =>
      modifiers.flatMap(({ name, modifierId }, at) =>
        isGone(modifierId)
          ? [removed(`items[${index}].modifiers[${at}].modifierId`, `${name} was deleted after the sale`)]
          : [],
      ),
    ),
  ]
}

/** 409: the reference belongs to a sale with another content. */
export const refInUse = (ref: string) =>
  new ApiError('CONFLICT', `${ref} is the reference of another sale: send this one under a new reference`, {
    param: 'offline.ref',
  })
