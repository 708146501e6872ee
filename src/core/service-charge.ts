export const SERVICE_CHARGE_BASES = ['AFTER_DISCOUNT', 'BEFORE_DISCOUNT'] as const
export type ServiceChargeBase = (typeof SERVICE_CHARGE_BASES)[number]

/** A service charge as a sale freezes it: the rate in basis points, what it is a part of, and whether it is taxed. */
export type ServiceTerms = { bps: number; base: ServiceChargeBase; isTaxable: boolean }

/** The fields of an outlet that decide about the service charge (B-service-1). */
export type OutletService = {
  serviceChargeBps: number
  serviceChargeOrderTypes: readonly string[]
  serviceChargeBase: ServiceChargeBase
  serviceChargeTaxable: boolean
}

/** The service charge of a sale at an outlet; null if it has none: another order type, a rate of 0, or waived (B-service-1). */
export function serviceTermsOf(
  outlet: OutletService,
  sale: { orderType: string | null; isWaived: boolean },
): ServiceTerms | null {
  const { serviceChargeBps: bps, serviceChargeBase: base, serviceChargeTaxable: isTaxable } = outlet
  const isCharged = sale.orderType !== null && outlet.serviceChargeOrderTypes.includes(sale.orderType)
  return isCharged && bps > 0 && !sale.isWaived ? { bps, base, isTaxable } : null
}

/** The service charge of a priced sale: `base` and `amount` without tax, in rupiah. */
export type ServiceCharge = { bps: number; base: number; amount: number; tax: number }
