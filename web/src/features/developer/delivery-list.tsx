import { useQuery } from '@tanstack/react-query'
import { type WebhookDelivery, webhooksList, webhooksListDeliveries } from 'kasir-client'
import { Send } from 'lucide-react'
import { call } from '../../app/service.ts'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'
import { formatMoment } from '../../ui/time.ts'

const STATES = ['pending', 'succeeded', 'failed'] as const
const isState = (text: string | undefined): text is (typeof STATES)[number] =>
  STATES.includes(text as (typeof STATES)[number])

export const DELIVERY_LOOKS = { pending: 'warn', succeeded: 'good', failed: 'danger' } as const

export function DeliveryList() {
  const t = useOfficeTexts()
  const [{ endpoint, status }] = useOfficeSearch()
  const endpoints = useQuery({
    queryKey: ['webhooks'],
    queryFn: async () => (await call(webhooksList)).subscriptions,
  })
  return (
    <ListPage
      title={t('deliveries')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ tab: 'deliveries', id })}
      source={{
        key: ['deliveries', endpoint, status],
        read: (cursor) =>
          callPage(
            webhooksListDeliveries,
            {
              limit: PAGE_ROWS,
              ...(cursor !== null && { cursor }),
              ...(endpoint && { subscriptionId: endpoint }),
              ...(isState(status) && { status }),
            },
            (rows) => rows,
          ),
      }}
      filters={[
        {
          key: 'endpoint',
          label: t('webhook.url'),
          options: (endpoints.data ?? []).map(({ id, url }) => ({ value: id, text: url })),
        },
        {
          key: 'status',
          label: t('state'),
          options: STATES.map((value) => ({ value, text: t(`delivery.${value}`) })),
        },
      ]}
      empty={{ icon: Send, title: t('delivery.empty'), text: t('delivery.emptyText') }}
    />
  )
}

const columnsIn = (t: OfficeTranslate): readonly Column<WebhookDelivery>[] => [
  {
    key: 'type',
    title: t('event.type'),
    cell: ({ type, createdAt }) => (
      <span className="grid min-w-0">
        <span className="break-all">{type}</span>
        <span className="text-xs font-normal text-muted">{formatMoment(createdAt)}</span>
      </span>
    ),
  },
  {
    key: 'attempts',
    title: t('delivery.attempts'),
    isAmount: true,
    from: 'sm',
    cell: ({ attempts }) => attempts,
  },
  {
    key: 'code',
    title: t('delivery.code'),
    isAmount: true,
    from: 'sm',
    cell: ({ lastStatusCode }) => lastStatusCode ?? '–',
  },
  {
    key: 'state',
    title: t('state'),
    cell: ({ status }) => <StateMark look={DELIVERY_LOOKS[status]}>{t(`delivery.${status}`)}</StateMark>,
  },
]
