import type { Sale } from 'kasir-client'
import { type SalesKey, useSalesTexts } from '../texts/sales/texts.ts'
import { formatRupiah } from '../ui/rupiah.ts'
import { isApplied } from './payment-state.ts'

type Tender = Pick<Sale['refunds'][number]['tenders'][number], 'method' | 'amount'>

const NAMES: Readonly<Record<Tender['method'], SalesKey>> = {
  CASH: 'back.CASH',
  CREDIT: 'back.CREDIT',
  GIFT_CARD: 'back.GIFT_CARD',
  STORE_CREDIT: 'back.STORE_CREDIT',
  QRIS: 'tender.QRIS',
  VA: 'tender.VA',
  CARD: 'tender.CARD',
  TRANSFER: 'tender.TRANSFER',
  OTHER: 'tender.OTHER',
}

/** Whether a part of a sale comes back as a lower debt or on a gift card, so that less than its amount leaves the drawer. */
export const isBackAtService = (sale: Pick<Sale, 'payments'>): boolean =>
  sale.payments.some(({ method, applied }) => applied && (method === 'CREDIT' || method === 'GIFT_CARD'))

/** How the money of a refund or a void goes back: what the drawer pays, what lowers a debt, what a gift card gets. */
export function MoneyBack({ tenders, isVoid = false }: { tenders: readonly Tender[]; isVoid?: boolean }) {
  const t = useSalesTexts()
  return (
    <dl aria-label={t('back')} className="grid gap-1">
      {tenders.map(({ method, amount }, at) => (
        <div key={at} className="flex justify-between gap-3 text-lg">
          <dt className="min-w-0 break-words">
            {t(isVoid && method === 'CREDIT' ? 'void.CREDIT' : NAMES[method])}
          </dt>
          <dd className="amount font-semibold">{formatRupiah(amount)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The tenders of a refund, with the cash as it is paid out after rounding. */
export const tendersOf = (sale: Sale, refundId: string): readonly Tender[] => {
  const refund = sale.refunds.find(({ id }) => id === refundId)
  if (refund === undefined) return []
  const last = refund.tenders.findLastIndex(({ method }) => method === 'CASH')
  return refund.tenders.map(({ method, amount }, at) => ({
    method,
    amount: at === last ? amount + refund.rounding : amount,
  }))
}

/** Every payment goes back as it came; of credit only the service knows how much the customer has paid since. */
export const tendersOfVoid = (sale: Sale): readonly Tender[] =>
  sale.payments
    .filter(isApplied)
    .map(({ method, amount, rounding }) => ({ method, amount: amount + rounding }))
