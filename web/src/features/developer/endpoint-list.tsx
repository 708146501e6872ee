import { type WebhookSubscription, webhooksList } from 'kasir-client'
import { BookOpen, Plus, Webhook } from 'lucide-react'
import { call } from '../../app/service.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'

export function EndpointList() {
  const t = useOfficeTexts()
  const [, setAddress] = useOfficeSearch()
  const create = (
    <May route="webhooks.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('webhook.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('webhooks')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['webhooks', 'list'],
        read: async () => ({ rows: (await call(webhooksList)).subscriptions, cursor: null }),
      }}
      actions={
        <>
          <a
            href="/docs"
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-12 items-center gap-2 rounded-xl px-4 font-medium hover:bg-line/60"
          >
            <BookOpen aria-hidden size={20} />
            {t('developer.docs')}
          </a>
          {create}
        </>
      }
      empty={{ icon: Webhook, title: t('webhook.empty'), text: t('webhook.emptyText'), action: create }}
    />
  )
}

const LOOKS = { active: 'good', paused: 'muted', disabled: 'danger' } as const

const columnsIn = (t: OfficeTranslate): readonly Column<WebhookSubscription>[] => [
  {
    key: 'url',
    title: t('webhook.url'),
    sortBy: ({ url }) => url,
    cell: ({ url }) => <span className="break-all">{url}</span>,
  },
  {
    key: 'events',
    title: t('events'),
    from: 'md',
    cell: ({ events }) =>
      events.length === 0 ? t('webhook.allEvents') : t('webhook.count', { n: events.length }),
  },
  {
    key: 'failures',
    title: t('webhook.failures'),
    from: 'sm',
    isAmount: true,
    sortBy: ({ failureStreak }) => failureStreak,
    cell: ({ failureStreak }) => failureStreak,
  },
  {
    key: 'state',
    title: t('state'),
    cell: ({ status }) => <StateMark look={LOOKS[status]}>{t(`webhook.${status}`)}</StateMark>,
  },
]
