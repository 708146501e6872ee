import { serviceTermsOf } from '../core.ts'
import { useShop } from '../offline/shop.ts'
import type { BillContext } from './cart.ts'

/** The present tax rates of the catalogue and the present service charge of a bill's outlet. */
export function billContext(outletId: string): BillContext {
  const { products, outlets } = useShop.getState()
  const rates = new Map(products.map(({ id, taxRateBps }) => [id, taxRateBps]))
  const outlet = outlets.find(({ id }) => id === outletId)
  return {
    rateOf: (productId) => rates.get(productId),
    isServiceCharged: (orderType) =>
      outlet !== undefined && serviceTermsOf(outlet, { orderType, isWaived: false }) !== null,
  }
}
