import { useDevice } from '../../app/device.ts'
import { BarChart } from '../../office/bar-chart.tsx'
import { formatDay } from '../../office/days.ts'
import { FigureTable } from '../../office/figure-table.tsx'
import { Panel } from '../../office/panel.tsx'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatMoney, methodText, shortMoney } from './looks.tsx'
import type { CashFlow, ProfitAndLoss } from './report-records.ts'

const COLUMNS = [
  { key: 'payments', from: undefined },
  { key: 'fees', from: 'sm' },
  { key: 'payouts', from: 'sm' },
  { key: 'returned', from: 'md' },
] as const

/** The money of each day as bars and as a table; the columns add up to the figures of the period. */
export function CashFlowReport({ report }: { report: CashFlow }) {
  const t = usePaymentsTexts()
  const language = useDevice((device) => device.language)
  const { days, opening, closing } = report
  const label = (day: string) => formatDay(language, day)
  return (
    <Panel title={t('report.byDay')}>
      {days.length > 0 && (
        <BarChart
          bars={days.map(({ day, payments }) => ({
            key: day,
            label: label(day),
            value: payments ?? 0,
            text: `${label(day)}: ${formatMoney(payments, 'IDR')}`,
          }))}
          format={formatRupiah}
        />
      )}
      <FigureTable
        label={t('report.byDay')}
        rows={days}
        idOf={({ day }) => day}
        totalLabel={t('report.total')}
        nothing={t('report.nothing')}
        columns={[
          { key: 'day', title: t('report.day'), cell: ({ day }) => label(day) },
          ...COLUMNS.map(({ key, from }) => ({
            key,
            title: t(`report.${key}`),
            ...(from && { from }),
            cell: (row: CashFlow['days'][number]) => shortMoney(row[key]),
            total: shortMoney(report[key]),
          })),
          {
            key: 'net',
            title: t('report.change'),
            cell: ({ net }) => shortMoney(net),
            total: closing === null || opening === null ? '–' : shortMoney(closing - opening),
          },
        ]}
      />
    </Panel>
  )
}

/** What came in by each method, and the fee that the partner kept. */
export function MethodReport({ report }: { report: ProfitAndLoss }) {
  const t = usePaymentsTexts()
  const { byMethod, payments, gross, fees, net } = report
  return (
    <Panel title={t('report.byMethod')}>
      <FigureTable
        label={t('report.byMethod')}
        rows={byMethod}
        idOf={({ method }) => method}
        totalLabel={t('report.total')}
        nothing={t('report.nothing')}
        columns={[
          { key: 'method', title: t('method'), cell: ({ method }) => methodText(t, method) },
          {
            key: 'count',
            title: t('report.count'),
            from: 'sm',
            cell: (row) => shortMoney(row.payments),
            total: shortMoney(payments),
          },
          {
            key: 'gross',
            title: t('report.gross'),
            from: 'sm',
            cell: (row) => shortMoney(row.gross),
            total: shortMoney(gross),
          },
          {
            key: 'fees',
            title: t('report.fees'),
            cell: (row) => shortMoney(row.fees),
            total: shortMoney(fees),
          },
          {
            key: 'net',
            title: t('report.net'),
            cell: (row) => shortMoney(row.net),
            total: shortMoney(net),
          },
        ]}
      />
    </Panel>
  )
}
