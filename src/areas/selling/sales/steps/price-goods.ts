import type { SaleFacts } from '../../../../core/conditions.ts'
import { type ListPrice, resolvePrice } from '../../../../core/prices.ts'
import { emptyToNull } from '../../../../core/text.ts'
import type { SaleIn } from '../schema.ts'
import type { Context, OutletFacts, Sellable } from '../store/context.ts'

/** The unit price of goods in a sale by the price lists, or else of the catalogue (B-price-1). */
export type Pricer = {
  priceOf(sellable: Sellable): ListPrice
  /** The price of a variant; undefined if the sale does not know it. */
  unitPriceOf(variantId: string): number | undefined
}

type SaleOfPrice = { orderType: string | null; channel: string | null; customerGroupIds: readonly string[] }

/** Prices the goods of a sale at an instant: the one place where a sale takes a unit price that was not sent. */
export function pricerFor(
  { pricing, sellables }: Pick<Context, 'pricing' | 'sellables'>,
  { id: outletId, timezone }: Pick<OutletFacts, 'id' | 'timezone'>,
  { instant, ...facts }: SaleOfPrice & { instant: string },
): Pricer {
  const sale: SaleFacts = { outletId, timezone, ...facts }
  const priceOf = (goods: Sellable) => resolvePrice(pricing.lists, goods, { sale, instant })
  return {
    priceOf,
    unitPriceOf: (variantId) => {
      const sellable = sellables.get(variantId)
      return sellable && priceOf(sellable).unitPrice
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
