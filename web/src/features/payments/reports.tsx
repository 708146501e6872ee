import { useQuery } from '@tanstack/react-query'
import { paymentReportsGetCashFlow, paymentReportsGetPnl } from 'kasir-client'
import { FigureCard } from '../../office/figure-card.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { FIELD } from '../../ui/field.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { readPartner } from './partner-calls.ts'
import { PERIODS, windowOf } from './period.ts'
import { readCashFlow, readProfitAndLoss } from './report-records.ts'
import { CashFlowReport, MethodReport } from './report-tables.tsx'

const CARDS = ['opening', 'payments', 'fees', 'payouts', 'returned', 'closing'] as const

/** How the balance at the partner came about, and what the payments cost. */
export function Reports() {
  const t = usePaymentsTexts()
  const [{ period }, setAddress] = useOfficeSearch()
  const days = windowOf(period)
  const report = useQuery({
    queryKey: ['payments', 'reports', days],
    queryFn: async () => {
      const [cashFlow, pnl] = await Promise.all([
        readPartner(paymentReportsGetCashFlow, readCashFlow, days),
        readPartner(paymentReportsGetPnl, readProfitAndLoss, days),
      ])
      return { cashFlow, pnl }
    },
  })
  return (
    <div className="grid max-w-6xl gap-4 p-4 sm:p-6">
      <h1 className="text-2xl font-bold">{t('title.reports')}</h1>
      <label className="grid max-w-60 gap-1 text-sm font-medium">
        {t('period')}
        <select
          className={`${FIELD} font-normal`}
          value={period ?? '30'}
          onChange={({ target }) => void setAddress({ period: target.value === '30' ? null : target.value })}
        >
          {PERIODS.map((value) => (
            <option key={value} value={value}>
              {t(`period.${value}`)}
            </option>
          ))}
        </select>
      </label>
      <p className="text-sm text-muted">{t('report.days')}</p>
      {report.data === undefined ? (
        <RecordState query={report} ErrorView={ModuleFailure} hasBack={false} />
      ) : (
        <>
          <section aria-label={t('report.cashFlow')} className="grid grid-cols-2 gap-3 md:grid-cols-3">
            {CARDS.map((key) => (
              <FigureCard
                key={key}
                label={t(`report.${key}`)}
                value={report.data.cashFlow[key] ?? undefined}
                format={formatRupiah}
              />
            ))}
          </section>
          <CashFlowReport report={report.data.cashFlow} />
          <MethodReport report={report.data.pnl} />
        </>
      )}
    </div>
  )
}
