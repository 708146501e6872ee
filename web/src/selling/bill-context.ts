import { serviceTermsOf } from '../core.ts'
import { findOutlet, useShop } from '../offline/shop.ts'
import type { BillContext } from './cart.ts'

/** The present tax rates of the catalogue and the present service charge of a bill's outlet. */
export function billContext(outletId: string): BillContext {
  const shop = useShop.getState()
  const rates = new Map(shop.products.map(({ id, taxRateBps }) => [id, taxRateBps]))
  const outlet = findOutlet(shop, outletId)
  return {
    rateOf: (productId) => rates.get(productId),
    isServiceCharged: (orderType) =>
      outlet !== undefined && serviceTermsOf(outlet, { orderType, isWaived: false }) !== null,
  }
}
