import type { SaleFacts } from '../../../../core/conditions.ts'
import { type PricedPack, priceOfPack } from '../../../../core/packs.ts'
import { type ListPrice, listsFor, priceByLists } from '../../../../core/prices.ts'
import { emptyToNull } from '../../../../core/text.ts'
import { packOf } from '../rules/packs.ts'
import type { SaleIn } from '../schema.ts'
import type { Context, OutletFacts, Sellable } from '../store/context.ts'

/** The unit price of goods in a sale by the price lists, or else of the catalogue (B-price-1). */
export type Pricer = {
  /** The facts and the instant that it compares. */
  facts: SaleFacts
  instant: string
  priceOf(sellable: Sellable, pack: PricedPack | null): ListPrice
  /** The price of a variant or of a pack of it; undefined if the sale does not know it. */
  unitPriceOf(variantId: string, packId: string | null): number | undefined
}

type SaleOfPrice = { orderType: string | null; channel: string | null; customerGroupIds: readonly string[] }

/** Prices the goods of a sale at an instant: the one place where a sale takes a unit price that was not sent. */
export function pricerFor(
  { pricing, sellables }: Pick<Context, 'pricing' | 'sellables'>,
  { id: outletId, timezone }: Pick<OutletFacts, 'id' | 'timezone'>,
  { instant, ...facts }: SaleOfPrice & { instant: string },
): Pricer {
  const sale: SaleFacts = { outletId, timezone, ...facts }
  const lists = listsFor(pricing.lists, { sale, instant })
  const priceOf = (goods: Sellable, pack: PricedPack | null): ListPrice => {
    // A list prices units; a pack with its own price keeps that price.
    if (pack && pack.price !== null) return { unitPrice: pack.price, priceListId: null }
    const { unitPrice, priceListId } = priceByLists(lists, goods)
    return { unitPrice: priceOfPack({ price: unitPrice, soldBy: goods.soldBy }, pack), priceListId }
  }
  return {
    facts: sale,
    instant,
    priceOf,
    unitPriceOf: (variantId, packId) => {
      const sellable = sellables.get(variantId)
      const pack = packOf(sellable, packId)
      return sellable && (packId === null || pack) ? priceOf(sellable, pack).unitPrice : undefined
    },
  }
}

/** A bill at a table is DINE_IN unless the body says otherwise. */
export const orderTypeOf = ({ orderType, tableId }: Pick<SaleIn, 'orderType' | 'tableId'>) =>
  orderType === undefined ? (tableId ? 'DINE_IN' : null) : orderType

/** The pricer of a new sale; what was sold offline has the prices of that time. */
export const pricerOfBody = (
  scope: { now: string },
  body: SaleIn,
  context: Pick<Context, 'pricing' | 'sellables'>,
  { outlet, customerGroupIds }: { outlet: OutletFacts; customerGroupIds: readonly string[] },
): Pricer =>
  pricerFor(context, outlet, {
    orderType: orderTypeOf(body),
    channel: emptyToNull(body.channel),
    customerGroupIds,
    instant: body.offline?.soldAt ?? scope.now,
  })

/** The price of an item: one that was sent wins, and has the list only if it is the price of the list (B-price-3). */
export function chosenPrice(sent: number | undefined, listed: ListPrice): ListPrice {
  if (sent === undefined || sent === listed.unitPrice) return listed
  return { unitPrice: sent, priceListId: null }
}
