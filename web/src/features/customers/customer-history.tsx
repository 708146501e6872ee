import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { giftCardsList, salesList } from 'kasir-client'
import { call } from '../../app/service.ts'
import { callAllRows } from '../../office/call-page.ts'
import { Panel } from '../../office/panel.tsx'
import { outletZone } from '../../offline/shop.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatMoment } from '../../ui/time.ts'

const MOST = 10

/** The last sales of a customer. */
export function CustomerSales({ customerId }: { customerId: string }) {
  const t = useOfficeTexts()
  const sales = useQuery({
    queryKey: ['customerSales', customerId],
    queryFn: () => call(salesList, { customerId, limit: MOST }),
  })
  return (
    <Panel title={t('customer.sales')} error={sales.error}>
      <ul aria-label={t('customer.sales')} className="divide-y">
        {(sales.data ?? []).map(({ id, number, total, completedAt, createdAt, outletId }) => (
          <li key={id}>
            <Link
              to="/penjualan"
              search={{ sale: id }}
              className="flex min-h-11 items-center gap-3 px-4 py-2 text-sm hover:bg-line/40"
            >
              <span className="min-w-0 flex-1">
                <span className="font-medium">{number}</span>{' '}
                <span className="text-muted">
                  {formatMoment(completedAt ?? createdAt, outletZone(outletId))}
                </span>
              </span>
              <span className="amount font-semibold">{formatRupiah(total)}</span>
            </Link>
          </li>
        ))}
        {sales.data?.length === 0 && (
          <li className="px-4 py-3 text-sm text-muted">{t('customer.noSales')}</li>
        )}
      </ul>
    </Panel>
  )
}

/** The gift cards and the store credit of a customer. */
export function CustomerCards({ customerId }: { customerId: string }) {
  const t = useOfficeTexts()
  const cards = useQuery({
    queryKey: ['customerCards', customerId],
    queryFn: () => callAllRows(giftCardsList, { customerId }, (rows) => rows),
  })
  return (
    <Panel title={t('customer.cards')} error={cards.error}>
      <ul aria-label={t('customer.cards')} className="divide-y">
        {(cards.data ?? []).map(({ id, code, kind, balance, status }) => (
          <li key={id} className="flex items-center gap-3 px-4 py-2 text-sm">
            <span className="grid min-w-0 flex-1">
              <span className="font-mono break-all">{code}</span>
              <span className="text-muted">
                {t(`card.${kind}`)} · {t(`card.${status}`)}
              </span>
            </span>
            <span className="amount font-semibold">{formatRupiah(balance)}</span>
          </li>
        ))}
        {cards.data?.length === 0 && (
          <li className="px-4 py-3 text-sm text-muted">{t('customer.noCards')}</li>
        )}
      </ul>
    </Panel>
  )
}
