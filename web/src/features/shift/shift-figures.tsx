import type { ShiftDetail } from 'kasir-client'
import { useCreditTexts } from '../../texts/credit/texts.ts'
import { type TextKey, useTexts } from '../../texts/texts.ts'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'

/** The figures of a shift: sales, payments by method, and the cash expected in the drawer. */
export function ShiftFigures({ shift }: { shift: ShiftDetail }) {
  const t = useTexts()
  const c = useCreditTexts()
  const { salesCount, gross, refunds, byMethod, creditPayments, cash, openBills } = shift.summary
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <section className="rounded-2xl border bg-panel p-5" aria-labelledby="figures-cash">
        <h2 id="figures-cash" className="mb-2 font-semibold">
          {t('shift.drawer')}
        </h2>
        <dl className="grid gap-1.5">
          <Figure name={t('shift.float')} amount={cash.opening} />
          <Figure name={t('shift.cashSales')} amount={cash.sales} />
          <Figure name={t('shift.cashRefunds')} amount={-cash.refunds} />
          {cash.rounding !== 0 && <Figure name={t('rounding')} amount={cash.rounding} />}
          {cash.creditPayments > 0 && <Figure name={c('paid')} amount={cash.creditPayments} />}
          <Figure name={t('shift.paidIn')} amount={cash.paidIn} />
          <Figure name={t('shift.paidOut')} amount={-cash.paidOut} />
          <div className="mt-1 flex justify-between border-t pt-2 text-lg font-bold">
            <dt>{t('shift.expected')}</dt>
            <dd className="amount">{formatRupiah(cash.expected)}</dd>
          </div>
        </dl>
      </section>
      <section className="rounded-2xl border bg-panel p-5" aria-labelledby="figures-sales">
        <h2 id="figures-sales" className="mb-2 font-semibold">
          {t('shift.sales', { n: salesCount })}
        </h2>
        <dl className="grid gap-1.5">
          <Figure name={t('shift.gross')} amount={gross} />
          <Figure name={t('shift.refunds')} amount={-refunds} />
          {byMethod.map(({ method, net }) => (
            <Figure key={method} name={t(`tender.${method}` as TextKey)} amount={net} />
          ))}
          {creditPayments.map(({ method, amount }) => (
            <Figure key={method} name={`${c('paid')}: ${t(`tender.${method}` as TextKey)}`} amount={amount} />
          ))}
          <div className="mt-1 flex justify-between border-t pt-2">
            <dt className="text-muted">{t('shift.openBills')}</dt>
            <dd className="amount">{openBills}</dd>
          </div>
        </dl>
      </section>
    </div>
  )
}

function Figure({ name, amount }: { name: string; amount: number }) {
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-muted">{name}</dt>
      <dd className="amount">{formatAmount(amount === 0 ? 0 : amount)}</dd>
    </div>
  )
}
