import { type ShiftDetail, shiftsGet } from 'kasir-client'
import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { useDevice } from '../../app/device.ts'
import { call } from '../../app/service.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { Panel } from '../../office/panel.tsx'
import { RecordFrame } from '../../office/record-frame.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOutletName } from '../../office/use-outlet-options.ts'
import { outletZone } from '../../offline/shop.ts'
import { type OfficeKey, useOfficeTexts } from '../../texts/office/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatMoment } from '../../ui/time.ts'
import { CsvLink } from './csv-link.tsx'
import { DifferenceMark } from './shift-report.tsx'

/** One shift with its drawer and its sales, and its report to print. */
export function ShiftRecord({ id }: { id: string }) {
  const t = useOfficeTexts()
  const outletName = useOutletName()
  const lang = useDevice(({ language }) => language)
  const record = useRecord(['shift', id], async () => (await call(shiftsGet, { id })).shift)
  const shift = record.data
  if (!shift) return <RecordState query={record} />
  const { openedAt, closedAt, cashierName, outletId, notes } = shift
  const zone = outletZone(outletId)
  return (
    <RecordFrame
      title={t('report.shift.of', { name: cashierName, time: formatMoment(openedAt, zone) })}
      subtitle={[
        outletName(outletId),
        closedAt && t('report.shift.until', { time: formatMoment(closedAt, zone) }),
      ]
        .filter(Boolean)
        .join(' · ')}
      aside={
        <div className="flex flex-wrap items-center gap-2">
          <DifferenceMark shift={shift} />
          <a
            href={`/api/v1/reports/shifts/${encodeURIComponent(id)}?${new URLSearchParams({ format: 'html', lang })}`}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center gap-2 rounded-lg border border-control/60 bg-raised px-3 font-medium hover:border-control"
          >
            <Printer aria-hidden size={18} />
            {t('shift.print')}
          </a>
          <CsvLink path={`shifts/${encodeURIComponent(id)}`} name={t('report.shifts')} input={{}} />
        </div>
      }
    >
      {notes && <p className="rounded-xl bg-warn-soft p-3 text-warn wrap-anywhere">{notes}</p>}
      <Figures shift={shift} />
    </RecordFrame>
  )
}

function Figures({ shift: { summary, countedCash, difference } }: { shift: ShiftDetail }) {
  const t = useOfficeTexts()
  const { cash, salesCount, gross, discounts, tax, refunds, byMethod, openBills } = summary
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <FigureList
        title={t('shift.drawer')}
        figures={[
          [t('shift.float'), cash.opening],
          [t('shift.cashSales'), cash.sales],
          [t('shift.cashRefunds'), -cash.refunds],
          ...(cash.rounding === 0 ? [] : [[t('rounding'), cash.rounding] as const]),
          ...(cash.creditPayments === 0 ? [] : [[t('report.shift.credit'), cash.creditPayments] as const]),
          [t('shift.paidIn'), cash.paidIn],
          [t('shift.paidOut'), -cash.paidOut],
          [t('shift.expected'), cash.expected],
          ...(countedCash === null ? [] : [[t('shift.counted'), countedCash] as const]),
          ...(difference === null ? [] : [[t('report.shift.difference'), difference] as const]),
        ]}
      />
      <FigureList
        title={t('shift.sales', { n: salesCount })}
        figures={[
          [t('report.gross'), gross],
          [t('report.discounts'), -discounts],
          [t('tax'), tax],
          [t('report.refunds'), -refunds],
          ...byMethod.map(({ method, net }) => [methodText(t, method), net] as const),
        ]}
      >
        {openBills > 0 && (
          <p className="border-t px-4 py-2 text-sm">{t('report.shift.bills', { n: openBills })}</p>
        )}
      </FigureList>
    </div>
  )
}

const methodText = (t: ReturnType<typeof useOfficeTexts>, method: string) =>
  method === 'STORE_CREDIT' ? t('report.storeCredit') : t(`tender.${method}` as OfficeKey)

type FigureListProps = {
  title: string
  figures: readonly (readonly [string, number])[]
  children?: ReactNode
}

const FigureList = ({ title, figures, children }: FigureListProps) => (
  <Panel title={title}>
    <dl className="divide-y">
      {figures.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-3 px-4 py-2 text-sm">
          <dt>{name}</dt>
          <dd className="amount">{formatRupiah(value === 0 ? 0 : value)}</dd>
        </div>
      ))}
    </dl>
    {children}
  </Panel>
)
