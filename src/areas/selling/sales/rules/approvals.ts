import type { ApprovalAction, Approvals } from '../../../../core/approvals.ts'
import { sum, sumOfProducts } from '../../../../core/money.ts'
import type { Pack } from '../../../../core/packs.ts'
import { weightOfAmount } from '../../../../core/weights.ts'
import type { Scope } from '../../../../platform/scope.ts'

const BPS = 10_000

/** Figures of a sale, in rupiah; `subtotal` is after the discounts of its items. */
type Figures = {
  subtotal: number
  discountTotal: number
  orderDiscount: number
  promoDiscount: number
  promotions?: readonly { amount: number }[] | null
}
type PricedItem = {
  variantId: string | null
  pack: Pick<Pack, 'id'> | null
  labelPrice: number | null
  unitPrice: number
  /** Set if a price list gave the price, which needs no approval. */
  priceListId?: string | null
  quantity: number
  isActive: boolean
}
type ApprovableItem = PricedItem & { productName: string }
type ApprovableSale = Figures & { serviceChargeWaived: boolean; items: readonly ApprovableItem[] }
/** The price of a variant, or of a pack of it, by the price lists or the catalogue; undefined if it is no longer there. */
export type CataloguePrice = (variantId: string, packId: string | null) => number | undefined

/** The price of the items before any discount. */
export const grossOf = ({ subtotal, discountTotal, orderDiscount, promoDiscount }: Figures) =>
  sum([subtotal, discountTotal, -orderDiscount, -promoDiscount])

/** All discounts but promotions, which a manager has decided already. */
const givenOf = ({ discountTotal, promotions }: Figures) =>
  discountTotal - sum((promotions ?? []).map(({ amount }) => amount))

/**
 * Whether all discounts but promotions together are more than `limitBps` of the gross, and a larger share of it than `before`: an edit
 * that leaves an approved discount alone needs no second approval.
 */
export function isDiscountAbove(limitBps: number, after: Figures, before: Figures | null): boolean {
  const gross = grossOf(after)
  const [given, givenBefore] = [givenOf(after), before === null ? 0 : givenOf(before)]
  if (sumOfProducts([[given, BPS]]) <= sumOfProducts([[gross, limitBps]])) return false
  const grossBefore = before === null ? 0 : grossOf(before)
  if (before === null || grossBefore === 0) return true
  return sumOfProducts([[given, grossBefore]]) > sumOfProducts([[givenBefore, gross]])
}

/** Whether a scale prints this label for the grams. It does not know price lists: above the price of a list any label will do. */
function isPriceOfScale({ labelPrice, quantity, unitPrice, priceListId }: PricedItem): boolean {
  if (labelPrice === null) return true
  const grams = unitPrice > 0 ? weightOfAmount(labelPrice, unitPrice) : 0
  return priceListId ? grams >= quantity : grams === quantity
}

/** The quantity by variant, pack and price that is sold neither at the price of a list nor at that of the catalogue. */
function repricedUnits(items: readonly PricedItem[], priceOf: CataloguePrice): Map<string, number> {
  const units = new Map<string, number>()
  for (const item of items) {
    const { variantId, pack, unitPrice, quantity, labelPrice } = item
    const packId = pack?.id ?? null
    if (!item.isActive || variantId === null) continue
    const isPriced = item.priceListId || unitPrice === priceOf(variantId, packId)
    if (isPriced && isPriceOfScale(item)) continue
    const name = `${variantId} ${packId} ${unitPrice} ${labelPrice}`
    units.set(name, (units.get(name) ?? 0) + quantity)
  }
  return units
}

/** Whether more units than before are sold at another price than that of a list or the catalogue. */
export function hasNewPrices(
  after: readonly PricedItem[],
  before: readonly PricedItem[],
  priceOf: CataloguePrice,
): boolean {
  const known = repricedUnits(before, priceOf)
  return [...repricedUnits(after, priceOf)].some(([name, units]) => units > (known.get(name) ?? 0))
}

/** Units of open items by name and price. */
function openUnits(items: readonly ApprovableItem[]): Map<string, number> {
  const units = new Map<string, number>()
  for (const { variantId, productName, unitPrice, quantity, isActive } of items) {
    if (!isActive || variantId !== null) continue
    const name = JSON.stringify([productName, unitPrice])
    units.set(name, (units.get(name) ?? 0) + quantity)
  }
  return units
}

/** Whether more units than before are sold that are not in the catalogue. */
export function hasNewOpenItems(
  after: readonly ApprovableItem[],
  before: readonly ApprovableItem[],
): boolean {
  const known = openUnits(before)
  return [...openUnits(after)].some(([name, units]) => units > (known.get(name) ?? 0))
}

/** The approvals that a cashier needs for a sale as it is to be stored; `before` is null for a new one (B-approval-5). */
function approvalsOfSale(
  { discountAboveBps, priceChange, openItem, waiveService }: Approvals,
  after: ApprovableSale,
  before: ApprovableSale | null,
  priceOf: CataloguePrice,
): ApprovalAction[] {
  const needed: readonly (readonly [ApprovalAction, boolean])[] = [
    ['priceChange', priceChange && hasNewPrices(after.items, before?.items ?? [], priceOf)],
    ['openItem', openItem && hasNewOpenItems(after.items, before?.items ?? [])],
    ['waiveService', waiveService && after.serviceChargeWaived && !before?.serviceChargeWaived],
    ['discountAboveBps', discountAboveBps !== null && isDiscountAbove(discountAboveBps, after, before)],
  ]
  return needed.flatMap(([action, isNeeded]) => (isNeeded ? [action] : []))
}

/** The approvals that the caller needs for this sale: none for all but cashiers. */
export const approvalsFor = (
  { actor }: Scope,
  after: ApprovableSale,
  before: ApprovableSale | null,
  priceOf: CataloguePrice,
): ApprovalAction[] =>
  actor.approvals === undefined ? [] : approvalsOfSale(actor.approvals, after, before, priceOf)

/** Whether the caller needs an approval for a new sale. */
export const isApprovalNeeded = (scope: Scope, sale: ApprovableSale, priceOf: CataloguePrice): boolean =>
  approvalsFor(scope, sale, null, priceOf).length > 0
