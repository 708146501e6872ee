import type { ReportHour } from 'kasir-client'
import { Panel } from '../../office/panel.tsx'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'
import { classes } from '../../ui/classes.ts'
import { formatAmount } from '../../ui/rupiah.ts'
import { CsvLink } from './csv-link.tsx'
import { type ReportRequest, useHours } from './use-report.ts'

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const
/** From few sales to many; the figure stands in each cell, so colour is never the only sign. */
const SHADES = ['bg-brand-soft/40', 'bg-brand-soft', 'bg-brand/25', 'bg-brand/40'] as const

/** The sales of each hour of the week: when the shop needs hands. */
export function HourReport({ request }: { request: ReportRequest }) {
  const t = useOfficeTexts()
  const report = useHours(request)
  // The service answers every hour; the table begins and ends with those that have sales.
  const rows = (report.data ?? []).filter(({ salesCount }) => salesCount > 0)
  const { outletId, from, to } = request
  return (
    <Panel
      error={report.error}
      title={t('report.hours')}
      actions={<CsvLink path="hours" name={t('report.hours')} input={{ outletId, from, to }} />}
    >
      <p className="px-4 pt-3 text-sm text-muted">{t('report.hoursText')}</p>
      {rows.length === 0 ? (
        <p className="p-4 text-muted">{report.isPending ? t('loading') : t('report.nothing')}</p>
      ) : (
        <WeekTable rows={rows} t={t} />
      )}
    </Panel>
  )
}

function WeekTable({ rows, t }: { rows: readonly ReportHour[]; t: OfficeTranslate }) {
  const hours = rows.map(({ hour }) => hour)
  const first = Math.min(...hours)
  const shown = Array.from({ length: Math.max(...hours) - first + 1 }, (_, at) => first + at)
  const most = Math.max(...rows.map(({ salesCount }) => salesCount), 1)
  const salesIn = (weekday: number, hour: number) =>
    rows.find((row) => row.weekday === weekday && row.hour === hour)?.salesCount ?? 0
  const sumOf = (cells: readonly number[]) => formatAmount(cells.reduce((sum, cell) => sum + cell, 0))
  return (
    <table aria-label={t('report.hours')} className="w-full table-fixed border-collapse text-center text-sm">
      <thead className="text-muted">
        <tr>
          <th scope="col" className="py-2 text-left text-xs font-medium sm:px-4 sm:text-sm">
            <span className="pl-2 sm:pl-0">{t('report.hour')}</span>
          </th>
          {WEEKDAYS.map((weekday) => (
            <th key={weekday} scope="col" className="py-2 font-medium">
              {t(`weekday.${weekday}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((hour) => (
          <tr key={hour}>
            <th scope="row" className="py-1 pl-2 text-left font-medium text-muted tabular-nums sm:pl-4">
              {String(hour).padStart(2, '0')}
            </th>
            {WEEKDAYS.map((weekday) => {
              const sales = salesIn(weekday, hour)
              return (
                <td
                  key={weekday}
                  className={classes('border border-panel py-1 tabular-nums', shadeOf(sales / most))}
                >
                  {sales === 0 ? <span className="text-muted">·</span> : formatAmount(sales)}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
      <tfoot className="border-t-2 font-semibold">
        <tr>
          <th scope="row" className="py-2 pl-2 text-left sm:pl-4">
            {t('total')}
          </th>
          {WEEKDAYS.map((weekday) => (
            <td key={weekday} className="py-2 tabular-nums">
              {sumOf(shown.map((hour) => salesIn(weekday, hour)))}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  )
}

/** The shade of a share between 0 and 1; no sale has none. */
const shadeOf = (share: number) =>
  share > 0 && SHADES[Math.min(Math.floor(share * SHADES.length), SHADES.length - 1)]
