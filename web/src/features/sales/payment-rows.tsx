import type { Sale } from 'kasir-client'
import { isApplied, isUnapplied, type PaymentState } from '../../selling/payment-state.ts'
import { useSalesTexts } from '../../texts/sales/texts.ts'
import { classes } from '../../ui/classes.ts'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'

type Payment = Sale['payments'][number]

/** The payments of a sale. Only those without a remark count in it. */
export function PaymentRows({ payments }: { payments: readonly Payment[] }) {
  const t = useSalesTexts()
  return payments.map((payment) => {
    const { id, method, amount, rounding, change, corrections } = payment
    const remark = remarkOf(payment)
    return (
      <div
        key={id}
        className={classes('flex justify-between gap-3', isUnapplied(payment) ? 'text-warn' : 'text-muted')}
      >
        <dt>
          {[
            t(`tender.${method}`),
            ...corrections.slice(-1).map(({ from }) => t('correct.was', { tender: t(`tender.${from}`) })),
            ...(remark === null ? [] : [t(remark)]),
          ].join(' ')}
        </dt>
        <dd className={classes('amount', payment.status !== 'PAID' && 'line-through')}>
          {formatAmount(amount + rounding + change)}
        </dd>
      </div>
    )
  })
}

function remarkOf(payment: PaymentState) {
  if (isApplied(payment)) return null
  return isUnapplied(payment)
    ? 'payment.unapplied'
    : payment.status === 'PENDING'
      ? 'payment.pending'
      : 'payment.failed'
}

/** Says what to do with money that the payment partner received and the sale did not need. */
export function UnappliedNote({ payments }: { payments: readonly Payment[] }) {
  const t = useSalesTexts()
  const unapplied = payments.filter(isUnapplied)
  if (unapplied.length === 0) return null
  const amount = formatRupiah(unapplied.reduce((total, payment) => total + payment.amount, 0))
  return <p className="rounded-xl bg-warn-soft p-3 text-warn">{t('sale.unappliedText', { amount })}</p>
}
