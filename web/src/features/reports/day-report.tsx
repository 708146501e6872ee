import { useDevice } from '../../app/device.ts'
import { BarChart } from '../../office/bar-chart.tsx'
import { daysBetween, formatDay } from '../../office/days.ts'
import { FigureTable } from '../../office/figure-table.tsx'
import { Panel } from '../../office/panel.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Failure } from '../../ui/failure.tsx'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'
import { CsvFileLink } from './csv-link.tsx'
import { daysCsv } from './days-csv.ts'
import { MOST_DAYS, type ReportRequest, useDays } from './use-report.ts'

/** The days of the period: a chart, and the same figures as a table. */
export function DayReport({ request }: { request: ReportRequest }) {
  const t = useOfficeTexts()
  const language = useDevice((device) => device.language)
  const days = useDays(request)
  const { days: rows = [], computedAt = '' } = days.data ?? {}
  const hasEarlierDays = daysBetween(request.from, request.today) >= MOST_DAYS
  const total = (of: (row: (typeof rows)[number]) => number) =>
    formatAmount(rows.map(of).reduce((a, b) => a + b, 0))
  return (
    <Panel
      title={t('report.days')}
      actions={
        rows.length > 0 && (
          <CsvFileLink href={daysCsv(rows, computedAt)} fileName="sales-by-day.csv" name={t('report.days')} />
        )
      }
    >
      {days.error && (
        <div className="p-4">
          <Failure error={days.error} />
        </div>
      )}
      {hasEarlierDays && rows.length > 0 && (
        <p className="px-4 pt-4 text-sm text-warn">{t('report.mostDays', { n: MOST_DAYS })}</p>
      )}
      {rows.length > 1 && (
        <BarChart
          format={formatRupiah}
          bars={rows.map(({ date, total: value }) => ({
            key: date,
            value,
            label: formatDay(language, date),
            text: `${formatDay(language, date)}: ${formatRupiah(value)}`,
          }))}
        />
      )}
      <FigureTable
        label={t('report.days')}
        rows={rows.toReversed()}
        idOf={({ date }) => date}
        totalLabel={t('total')}
        nothing={
          days.isPending
            ? t('loading')
            : t(hasEarlierDays ? 'report.mostDays' : 'report.nothing', { n: MOST_DAYS })
        }
        columns={[
          { key: 'day', title: t('report.day'), cell: ({ date }) => formatDay(language, date) },
          {
            key: 'sales',
            title: t('report.salesCount'),
            cell: ({ salesCount }) => formatAmount(salesCount),
            total: total(({ salesCount }) => salesCount),
          },
          {
            key: 'refunds',
            title: t('report.refunds'),
            from: 'md',
            cell: ({ refunds }) => formatAmount(refunds),
            total: total(({ refunds }) => refunds),
          },
          {
            key: 'net',
            title: t('report.net'),
            from: 'sm',
            cell: ({ net }) => formatAmount(net),
            total: total(({ net }) => net),
          },
          {
            key: 'tax',
            title: t('tax'),
            from: 'md',
            cell: ({ tax }) => formatAmount(tax),
            total: total(({ tax }) => tax),
          },
          {
            key: 'total',
            title: t('report.collected'),
            cell: (row) => formatAmount(row.total),
            total: total((row) => row.total),
          },
        ]}
      />
    </Panel>
  )
}
