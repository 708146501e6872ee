import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { inventoryListExpiring, reportsListLowStock, shiftsList, webhooksListDeliveries } from 'kasir-client'
import { call } from '../../app/service.ts'
import { amountOfGoods } from '../../office/goods-amounts.ts'
import type { PagePath } from '../../office/page-routes.ts'
import { Panel } from '../../office/panel.tsx'
import { outletZone } from '../../offline/shop.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatDate, formatMoment } from '../../ui/time.ts'

type Line = { id: string; name: string; detail: string; figure: string }
type WatchProps = {
  title: string
  nothing: string
  lines: { data?: readonly Line[] | undefined; error: unknown }
  /** The page of the whole list. */
  to: PagePath
  search?: Readonly<Record<string, string>>
}

/** The rows that need attention, or a sentence that there are none. */
function Watch({ title, nothing, lines, to, search = {} }: WatchProps) {
  const t = useOfficeTexts()
  return (
    <Panel
      error={lines.error}
      title={title}
      actions={
        <Link
          to={to}
          search={search as never}
          aria-label={t('home.openOf', { name: title })}
          className="flex min-h-11 items-center rounded-lg px-2 text-sm font-medium text-brand hover:bg-brand-soft"
        >
          {t('home.open')}
        </Link>
      }
    >
      <ul aria-label={title} className="divide-y">
        {(lines.data ?? []).map(({ id, name, detail, figure }) => (
          <li key={id} className="flex items-center gap-3 px-4 py-2 text-sm">
            <span className="grid min-w-0 flex-1">
              <span className="font-medium break-words">{name}</span>
              <span className="break-words text-muted">{detail}</span>
            </span>
            <span className="amount font-semibold">{figure}</span>
          </li>
        ))}
        {lines.data?.length === 0 && <li className="px-4 py-3 text-sm text-muted">{nothing}</li>}
        {lines.data === undefined && <li className="px-4 py-3 text-sm text-muted">{t('loading')}</li>}
      </ul>
    </Panel>
  )
}

const MOST = 5
const EXPIRING_DAYS = 30

export function OpenShifts() {
  const t = useOfficeTexts()
  const lines = useQuery({
    queryKey: ['home', 'shifts'],
    queryFn: async () =>
      (await call(shiftsList, { status: 'OPEN', limit: MOST })).map(
        ({ id, cashierName, openedAt, expectedCash, outletId }) => ({
          id,
          name: cashierName,
          detail: t('home.since', { time: formatMoment(openedAt, outletZone(outletId)) }),
          figure: formatRupiah(expectedCash),
        }),
      ),
  })
  return (
    <Watch
      title={t('home.shifts')}
      nothing={t('home.noShifts')}
      lines={lines}
      to="/laporan"
      search={{ tab: 'shifts', state: 'OPEN' }}
    />
  )
}

export function LowStock() {
  const t = useOfficeTexts()
  const lines = useQuery({
    queryKey: ['home', 'lowStock'],
    queryFn: async () =>
      (await call(reportsListLowStock, { limit: MOST })).levels.map(
        ({ id, productName, variantName, soldBy, quantity, reorderPoint }) => ({
          id,
          name: productName,
          detail: `${variantName} · ${t('home.reorderAt', { n: amountOfGoods(soldBy, reorderPoint ?? 0) })}`,
          figure: amountOfGoods(soldBy, quantity),
        }),
      ),
  })
  return (
    <Watch
      title={t('home.lowStock')}
      nothing={t('home.noLowStock')}
      lines={lines}
      to="/stok"
      search={{ low: 'true' }}
    />
  )
}

export function ExpiringGoods() {
  const t = useOfficeTexts()
  const lines = useQuery({
    queryKey: ['home', 'expiring'],
    queryFn: async () =>
      (await call(inventoryListExpiring, { days: EXPIRING_DAYS, limit: MOST })).batches.map(
        ({ id, productName, batchNo, expiryDate, soldBy, remainingQty }) => ({
          id,
          name: productName,
          detail: [batchNo, expiryDate && formatDate(expiryDate)].filter(Boolean).join(' · '),
          figure: amountOfGoods(soldBy, remainingQty),
        }),
      ),
  })
  return (
    <Watch
      title={t('home.expiring', { n: EXPIRING_DAYS })}
      nothing={t('home.noExpiring')}
      lines={lines}
      to="/stok"
      search={{ tab: 'batches' }}
    />
  )
}

export function FailedDeliveries() {
  const t = useOfficeTexts()
  const lines = useQuery({
    queryKey: ['home', 'deliveries'],
    queryFn: async () =>
      (await call(webhooksListDeliveries, { status: 'failed', limit: MOST })).map(
        ({ id, type, attempts, lastStatusCode, createdAt }) => ({
          id,
          name: type,
          detail: `${formatMoment(createdAt)} · ${t('home.attempts', { n: attempts })}`,
          figure: lastStatusCode === null ? '–' : String(lastStatusCode),
        }),
      ),
  })
  return (
    <Watch
      title={t('home.deliveries')}
      nothing={t('home.noDeliveries')}
      lines={lines}
      to="/pengembang"
      search={{ tab: 'deliveries', status: 'failed' }}
    />
  )
}
