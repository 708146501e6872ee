import type { ReportSummary } from 'kasir-client'
import { CircleCheck } from 'lucide-react'
import { FigureCard } from '../../office/figure-card.tsx'
import { FigureTable } from '../../office/figure-table.tsx'
import { Panel } from '../../office/panel.tsx'
import { formatPercent } from '../../office/percent.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Failure } from '../../ui/failure.tsx'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'
import { CsvLink } from './csv-link.tsx'
import { type ReportRequest, useSummary } from './use-report.ts'

const CARDS = ['collected', 'net', 'salesCount', 'avgTicket'] as const

/** The figures of the period beside those of the one before, and how collected adds up. */
export function SummaryReport({ request }: { request: ReportRequest }) {
  const t = useOfficeTexts()
  const summary = useSummary(request)
  const { now, before } = summary.data ?? {}
  if (summary.error) return <Failure error={summary.error} />
  return (
    <>
      <section aria-label={t('report.figures')} className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {CARDS.map((name) => (
          <FigureCard
            key={name}
            label={t(`report.${name}`)}
            value={now?.[name]}
            before={before?.[name]}
            against={t('report.before')}
            format={name === 'salesCount' ? formatAmount : formatRupiah}
          />
        ))}
      </section>
      {now && (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <Breakdown summary={now} request={request} />
          <Tenders summary={now} />
          <Taxes summary={now} />
        </div>
      )}
    </>
  )
}

/** From gross to collected, line by line. */
function Breakdown({ summary, request }: { summary: ReportSummary; request: ReportRequest }) {
  const t = useOfficeTexts()
  const { gross, discounts, refunds, net, tax, service, deliveryFees, collected, rounding } = summary
  // Tax inside inclusive prices is part of gross and not of net.
  const included = gross - discounts - refunds - net
  const lines = [
    ['report.gross', gross],
    ['report.discounts', -discounts],
    ['report.refunds', -refunds],
    ...(included === 0 ? [] : [['report.includedTax', -included] as const]),
    ['report.net', net],
    ['tax', tax],
    ...(service === 0 ? [] : [['service', service] as const]),
    ...(deliveryFees === 0 ? [] : [['deliveryFee', deliveryFees] as const]),
    ['report.collected', collected],
    ...(rounding === 0 ? [] : [['rounding', rounding] as const]),
  ] as const
  const isBold = (key: string) => key === 'report.net' || key === 'report.collected'
  return (
    <Panel
      title={t('report.breakdown')}
      actions={
        <CsvLink
          path="summary"
          name={t('report.breakdown')}
          input={{ outletId: request.outletId, from: request.from, to: request.to }}
        />
      }
    >
      <dl className="divide-y">
        {lines.map(([key, value]) => (
          <div
            key={key}
            className={`flex justify-between gap-3 px-4 py-2 text-sm ${isBold(key) ? 'font-semibold' : ''}`}
          >
            <dt>{t(key)}</dt>
            <dd className="amount">{formatRupiah(value)}</dd>
          </div>
        ))}
      </dl>
      {net + tax + service + deliveryFees === collected && (
        <p className="flex items-center gap-2 border-t px-4 py-2 text-sm text-good">
          <CircleCheck aria-hidden size={16} className="shrink-0" />
          {t('report.addsUp')}
        </p>
      )}
    </Panel>
  )
}

function Tenders({ summary }: { summary: ReportSummary }) {
  const t = useOfficeTexts()
  const { byMethod, collected } = summary
  const nameOf = (method: string) =>
    method === 'STORE_CREDIT' ? t('report.storeCredit') : t(`tender.${method as 'CASH'}`)
  return (
    <Panel title={t('report.tenders')}>
      <FigureTable
        label={t('report.tenders')}
        rows={byMethod}
        idOf={({ method }) => method}
        totalLabel={t('total')}
        nothing={t('report.nothing')}
        columns={[
          { key: 'method', title: t('pay.tender'), cell: ({ method }) => nameOf(method) },
          { key: 'count', title: t('report.count'), cell: ({ count }) => formatAmount(count) },
          {
            key: 'refunds',
            title: t('report.refunds'),
            from: 'sm',
            cell: ({ refunds }) => formatAmount(refunds),
          },
          {
            key: 'net',
            title: t('report.collected'),
            cell: ({ net }) => formatAmount(net),
            total: formatAmount(collected),
          },
        ]}
      />
    </Panel>
  )
}

function Taxes({ summary }: { summary: ReportSummary }) {
  const t = useOfficeTexts()
  return (
    <Panel title={t('report.taxes')}>
      <FigureTable
        label={t('report.taxes')}
        rows={summary.taxes}
        idOf={({ rateBps }) => String(rateBps)}
        totalLabel={t('total')}
        nothing={t('report.nothing')}
        columns={[
          { key: 'rate', title: t('report.rate'), cell: ({ rateBps }) => `${formatPercent(rateBps)}%` },
          {
            key: 'tax',
            title: t('tax'),
            cell: ({ tax }) => formatAmount(tax),
            total: formatAmount(summary.tax),
          },
        ]}
      />
    </Panel>
  )
}
