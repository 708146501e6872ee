import type { Outlet } from 'kasir-client'
import type { CartTotals } from '../../selling/cart-totals.ts'
import { useTexts } from '../../texts/texts.ts'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'

/** Subtotal, discount, tax and total, as the receipt will print them. */
export function TotalRows({ totals, outlet }: { totals: CartTotals; outlet: Outlet | undefined }) {
  const t = useTexts()
  const { subtotal, orderDiscount, taxTotal, total, due } = totals
  const rate = (outlet?.taxRateBps ?? 0) / 100
  const taxName = `${outlet?.taxLabel ?? t('tax')} ${rate}%${outlet?.taxInclusive ? ` ${t('tax.included')}` : ''}`
  return (
    <dl className="grid gap-0.5">
      <Row name={t('subtotal')} amount={formatAmount(subtotal)} />
      {orderDiscount > 0 && <Row name={t('discount.order')} amount={formatAmount(-orderDiscount)} />}
      {rate > 0 && <Row name={taxName} amount={formatAmount(taxTotal)} />}
      {due !== total && <Row name={t('bill.paid')} amount={formatAmount(due - total)} />}
      <div className="flex items-baseline justify-between pt-1">
        <dt className="font-semibold">{t('total')}</dt>
        <dd className="amount text-[2rem] leading-tight font-bold">{formatRupiah(due)}</dd>
      </div>
    </dl>
  )
}

function Row({ name, amount }: { name: string; amount: string }) {
  return (
    <div className="flex justify-between text-muted">
      <dt>{name}</dt>
      <dd className="amount">{amount}</dd>
    </div>
  )
}
