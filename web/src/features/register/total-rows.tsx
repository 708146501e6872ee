import type { Outlet } from 'kasir-client'
import { type CartTotals, cashDueOf } from '../../selling/cart-totals.ts'
import { chargeRows, chargesOf } from '../../selling/charge-rows.ts'
import { useTexts } from '../../texts/texts.ts'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'

/** Subtotal, discounts, service charge, taxes and total, as the receipt will print them; below, the cash after rounding. */
export function TotalRows({ totals, outlet }: { totals: CartTotals; outlet: Outlet | undefined }) {
  const t = useTexts()
  const { promotions, subtotal, total, due } = totals
  const cashDue = cashDueOf(due, totals)
  return (
    <dl className="grid gap-0.5">
      {promotions.map(({ id, name, amount }) => (
        <Row key={id} name={name} amount={formatAmount(-amount)} />
      ))}
      <Row name={t('subtotal')} amount={formatAmount(subtotal)} />
      {chargeRows(chargesOf(totals, outlet), t).map(({ key, name, amount }) => (
        <Row key={key} name={name} amount={formatAmount(amount)} />
      ))}
      {due !== total && <Row name={t('bill.paid')} amount={formatAmount(due - total)} />}
      <div className="flex items-baseline justify-between pt-1">
        <dt className="font-semibold">{t('total')}</dt>
        <dd className="amount text-[2rem] leading-tight font-bold">{formatRupiah(due)}</dd>
      </div>
      {cashDue !== due && (
        <Row
          name={`${t('rounding')} ${formatAmount(cashDue - due)}`}
          amount={`${t('tender.CASH')} ${formatAmount(cashDue)}`}
        />
      )}
    </dl>
  )
}

function Row({ name, amount }: { name: string; amount: string }) {
  return (
    <div className="flex justify-between gap-3 text-muted">
      <dt>{name}</dt>
      <dd className="amount">{amount}</dd>
    </div>
  )
}
