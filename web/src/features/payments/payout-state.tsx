import { FigureCard } from '../../office/figure-card.tsx'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import { usePayoutState } from './payout-data.ts'

/** The balance, the money under way to the bank, and the bank account. */
export function PayoutState() {
  const t = usePaymentsTexts()
  const { data } = usePayoutState()
  const bank = data?.bankAccount
  return (
    <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
      <FigureCard label={t('payout.balance')} value={data?.balance ?? undefined} format={formatRupiah} />
      <FigureCard label={t('payout.inTransit')} value={data?.inTransit ?? undefined} format={formatRupiah} />
      <div className="grid content-start gap-1 rounded-xl border bg-panel p-4">
        <span className="text-sm text-muted">{t('bank')}</span>
        <span className="font-semibold wrap-anywhere">
          {bank ? `${bank.bankName} ${bank.accountNumber}` : data ? t('bank.none') : '–'}
        </span>
        {bank && <span className="text-sm wrap-anywhere text-muted">{bank.accountHolder}</span>}
      </div>
    </div>
  )
}
