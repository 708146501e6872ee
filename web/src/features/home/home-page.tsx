import { reportsGetSummary } from 'kasir-client'
import { useSession } from '../../app/session.ts'
import { AsOfLine } from '../../office/as-of-line.tsx'
import { addDays, dayIn } from '../../office/days.ts'
import { FigureCard } from '../../office/figure-card.tsx'
import { useReportQuery } from '../../office/report-query.ts'
import { useFirstShownOutlet } from '../../office/use-outlet-options.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'
import { Checklist } from './checklist.tsx'
import { ExpiringGoods, FailedDeliveries, LowStock, OpenShifts } from './watch-list.tsx'

const WEEK_MS = 7 * 86_400_000

/** Today until now, and the same weekday last week until the same time. */
function useToday() {
  const outlet = useFirstShownOutlet()
  const outletId = outlet?.id
  return useReportQuery({
    queryKey: ['home', outletId],
    enabled: outlet !== undefined,
    read: async (ask) => {
      const now = new Date()
      const day = dayIn(outlet?.timezone ?? 'Asia/Jakarta', now)
      const [today, before] = await Promise.all([
        ask(reportsGetSummary, { outletId: outletId ?? '', from: day }),
        ask(reportsGetSummary, {
          outletId: outletId ?? '',
          from: addDays(day, -7),
          to: new Date(now.getTime() - WEEK_MS).toISOString(),
        }),
      ])
      return { today, before }
    },
  })
}

/** The first page of an owner: the figures of today, and the rows that need attention. */
export function HomePage() {
  const t = useOfficeTexts()
  const name = useSession((session) => session.member?.name ?? '')
  const outlet = useFirstShownOutlet()
  const figures = useToday()
  const { today, before } = figures.data ?? {}
  const against = t('home.lastWeek')
  return (
    <div className="grid max-w-6xl gap-4 p-4 sm:p-6">
      <header>
        <h1 className="text-2xl font-bold break-words">{t('home.title', { name })}</h1>
        {outlet && <p className="text-muted">{t('home.text', { outlet: outlet.name })}</p>}
        <AsOfLine />
      </header>
      {figures.error && (
        <Failure error={figures.error}>
          <Button className="mt-2" onClick={() => void figures.refetch()}>
            {t('retry')}
          </Button>
        </Failure>
      )}
      <section aria-label={t('home.today')} className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <FigureCard
          label={t('report.collected')}
          value={today?.collected}
          before={before?.collected}
          against={against}
          format={formatRupiah}
        />
        <FigureCard
          label={t('report.net')}
          value={today?.net}
          before={before?.net}
          against={against}
          format={formatRupiah}
        />
        <FigureCard
          label={t('report.salesCount')}
          value={today?.salesCount}
          before={before?.salesCount}
          against={against}
          format={formatAmount}
        />
        <FigureCard
          label={t('report.avgTicket')}
          value={today?.avgTicket}
          before={before?.avgTicket}
          against={against}
          format={formatRupiah}
        />
      </section>
      <Checklist />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <OpenShifts />
        <LowStock />
        <ExpiringGoods />
        <FailedDeliveries />
      </div>
    </div>
  )
}
