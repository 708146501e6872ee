import type { Sale, SaleItem } from 'kasir-client'
import { outletZone } from '../../offline/shop.ts'
import { quantityText } from '../../selling/quantity.ts'
import { useSalesTexts } from '../../texts/sales/texts.ts'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'
import { formatTime } from '../../ui/time.ts'
import { PaymentRows, UnappliedNote } from './payment-rows.tsx'

/** The amount of an item before discounts, and before a tax that is added: with the rows below, the items add up to the total. */
const grossOf = (
  { lineTotal, taxAmount, discount, orderDiscountShare, promotionShare }: SaleItem,
  { taxInclusive }: Sale,
) => lineTotal - (taxInclusive ? 0 : taxAmount) + discount + orderDiscountShare + promotionShare

/** Items, charges and payments of a sale, from the items to the change. */
export function SaleContent({ sale }: { sale: Sale }) {
  const t = useSalesTexts()
  return (
    <div className="grid gap-4">
      <p className="text-muted">
        {formatTime(sale.completedAt ?? sale.createdAt, outletZone(sale.outletId))}
        {sale.customer && ` · ${sale.customer.name}`}
        {sale.note && ` · ${sale.note}`}
      </p>
      <ul className="grid gap-2">
        {sale.items
          .filter(({ isActive }) => isActive)
          .map((item) => (
            <li key={item.id} className="flex gap-3">
              <span className="min-w-8 shrink-0 text-right tabular-nums">{quantityText(item)}</span>
              <span className="min-w-0 flex-1">
                <span className="break-words">{item.productName}</span>
                <span className="block text-sm break-words text-muted">
                  {[item.pack?.name, ...item.modifiers.map(({ name }) => name), item.note]
                    .filter(Boolean)
                    .join(' · ')}
                  {item.refundedQty > 0 &&
                    ` ${t('sale.refundedQty', { n: quantityText({ ...item, quantity: item.refundedQty }) })}`}
                </span>
              </span>
              <span className="amount">{formatAmount(grossOf(item, sale))}</span>
            </li>
          ))}
      </ul>
      <dl className="grid gap-1 border-t pt-3">
        {sale.discountTotal > 0 && <Row name={t('discount.total')} amount={-sale.discountTotal} />}
        {sale.serviceCharge !== null && (
          <Row
            name={t('service')}
            amount={sale.serviceCharge.amount + (sale.taxInclusive ? sale.serviceCharge.tax : 0)}
          />
        )}
        {sale.taxTotal > 0 && (
          <Row
            name={sale.taxInclusive ? `${t('tax')} ${t('tax.included')}` : t('tax')}
            amount={sale.taxTotal}
          />
        )}
        {sale.deliveryFee > 0 && <Row name={t('deliveryFee')} amount={sale.deliveryFee} />}
        <div className="flex justify-between text-xl font-bold">
          <dt>{t('total')}</dt>
          <dd className="amount">{formatRupiah(sale.total)}</dd>
        </div>
        {sale.roundingTotal !== 0 && <Row name={t('rounding')} amount={sale.roundingTotal} />}
        <PaymentRows payments={sale.payments} />
        {sale.changeTotal > 0 && <Row name={t('change')} amount={-sale.changeTotal} />}
        {sale.refundedTotal > 0 && <Row name={t('sale.refundedTotal')} amount={-sale.refundedTotal} />}
      </dl>
      <UnappliedNote payments={sale.payments} />
      {sale.voidReason && <p className="rounded-xl bg-danger-soft p-3 text-danger">{sale.voidReason}</p>}
    </div>
  )
}

function Row({ name, amount }: { name: string; amount: number }) {
  return (
    <div className="flex justify-between gap-3 text-muted">
      <dt>{name}</dt>
      <dd className="amount">{formatAmount(amount)}</dd>
    </div>
  )
}
