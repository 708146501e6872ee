import type { Outlet } from 'kasir-client'
import type { CartTotals } from './cart-totals.ts'

/** What stands between subtotal and total of a sale. */
export type Charges = Pick<
  CartTotals,
  'orderDiscount' | 'promoDiscount' | 'serviceCharge' | 'taxes' | 'deliveryFee'
> & { taxLabel: string | null; taxInclusive: boolean }

type ChargeText = 'discount.order' | 'discount.promo' | 'service' | 'tax' | 'tax.included' | 'deliveryFee'
export type ChargeRow = { key: string; name: string; amount: number }

/** A rate with at most two decimals: 11 %, 12,5 %. */
const percentOf = (bps: number) => `${String(bps / 100).replace('.', ',')}%`

/**
 * The rows between subtotal and total. They add up to the total; a tax inside the prices is marked as such, and then the
 * tax of the service charge is part of the charge's row.
 */
export function chargeRows(charges: Charges, t: (key: ChargeText) => string): ChargeRow[] {
  const { orderDiscount, promoDiscount, serviceCharge, taxes, deliveryFee, taxLabel, taxInclusive } = charges
  const row = (key: string, name: string, amount: number): ChargeRow[] =>
    amount === 0 ? [] : [{ key, name, amount }]
  return [
    ...row('discount', t('discount.order'), -orderDiscount),
    ...row('promo', t('discount.promo'), -promoDiscount),
    ...(serviceCharge === null
      ? []
      : row(
          'service',
          `${t('service')} ${percentOf(serviceCharge.bps)}`,
          serviceCharge.amount + (taxInclusive ? serviceCharge.tax : 0),
        )),
    ...taxes
      .filter(({ rateBps }) => rateBps > 0)
      .map(({ rateBps, tax }) => ({
        key: `tax ${rateBps}`,
        name: `${taxLabel ?? t('tax')} ${percentOf(rateBps)}${taxInclusive ? ` ${t('tax.included')}` : ''}`,
        amount: tax,
      })),
    ...row('delivery', t('deliveryFee'), deliveryFee),
  ]
}

export function chargesOf(
  totals: CartTotals,
  outlet: Pick<Outlet, 'taxLabel' | 'taxInclusive'> | undefined,
): Charges {
  const { orderDiscount, promoDiscount, serviceCharge, taxes, deliveryFee } = totals
  const taxLabel = outlet?.taxLabel ?? null
  return {
    orderDiscount,
    promoDiscount,
    serviceCharge,
    taxes,
    deliveryFee,
    taxLabel,
    taxInclusive: outlet?.taxInclusive ?? false,
  }
}
