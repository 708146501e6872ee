import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paymentsGetOverview } from 'kasir-client'
import { FigureCard } from '../../office/figure-card.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { Panel } from '../../office/panel.tsx'
import { amountIn, momentText, type PartnerRecord, rowsFrom } from '../../office/partner-data.ts'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatMoney, StatusMark } from './looks.tsx'
import { readPartner } from './partner-calls.ts'
import { type CheckoutSession, type Payout, readPayout, readSession } from './partner-records.ts'

const readOverview = (record: PartnerRecord) => ({
  balance: amountIn(record, 'balance'),
  recentSessions: rowsFrom(record['recentSessions']).map(readSession),
  payouts: rowsFrom(record['payouts']).map(readPayout),
})

/** The balance at the partner, the last payment links and the last payouts. */
export function Overview() {
  const o = useOfficeTexts()
  const t = usePaymentsTexts()
  const query = useQuery({
    queryKey: ['payments', 'overview'],
    queryFn: () => readPartner(paymentsGetOverview, readOverview),
  })
  return (
    <div className="grid max-w-5xl gap-4 p-4 sm:p-6">
      <h1 className="text-2xl font-bold">{o('area.payments')}</h1>
      {query.data === undefined ? (
        <RecordState query={query} ErrorView={ModuleFailure} hasBack={false} />
      ) : (
        <>
          <div className="max-w-xs">
            <FigureCard label={t('balance')} value={query.data.balance ?? undefined} format={formatRupiah} />
          </div>
          <div className="grid gap-4 lg:grid-cols-2">
            <RecentList
              title={t('overview.sessions')}
              nothing={t('overview.noSessions')}
              tab="links"
              rows={query.data.recentSessions}
            />
            <RecentList
              title={t('overview.payouts')}
              nothing={t('overview.noPayouts')}
              tab="payouts"
              rows={query.data.payouts}
            />
          </div>
        </>
      )}
    </div>
  )
}

type RecentListProps = {
  title: string
  nothing: string
  tab: 'links' | 'payouts'
  rows: readonly (CheckoutSession | Payout)[]
}

function RecentList({ title, nothing, tab, rows }: RecentListProps) {
  return (
    <Panel title={title}>
      {rows.length === 0 && <p className="p-4 text-muted">{nothing}</p>}
      <ul aria-label={title} className="divide-y empty:hidden">
        {rows.map((row) => (
          <li key={row.id}>
            <Link
              to="/pembayaran"
              search={{ tab, id: row.id }}
              className="flex min-h-12 flex-wrap items-center gap-x-3 px-4 py-2 text-sm hover:bg-line/40"
            >
              <span className="grid min-w-0 flex-1">
                <span className="font-semibold tabular-nums">{formatMoney(row.amount, row.currency)}</span>
                <span className="wrap-anywhere text-muted">
                  {[momentText(row.createdAt), 'description' in row && row.description]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              <StatusMark status={row.status} />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
