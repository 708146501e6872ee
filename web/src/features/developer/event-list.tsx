import { type Event, eventsList } from 'kasir-client'
import { ScrollText } from 'lucide-react'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'
import { formatMoment } from '../../ui/time.ts'

/** What happened in the workspace, when, and who did it. */
export function EventList() {
  const t = useOfficeTexts()
  const [{ resource }] = useOfficeSearch()
  return (
    <ListPage
      title={t('events')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      source={{
        key: ['events', resource],
        read: (cursor) =>
          callPage(
            eventsList,
            { limit: PAGE_ROWS, ...(cursor !== null && { cursor }), ...(resource && { resource }) },
            (rows) => rows,
          ),
      }}
      empty={{ icon: ScrollText, title: t('event.empty'), text: t('event.emptyText') }}
    />
  )
}

const columnsIn = (t: OfficeTranslate): readonly Column<Event>[] => [
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
    key: 'actor',
    title: t('event.actor'),
    cell: ({ actor }) => actor?.name ?? (actor === null ? '–' : t(`actor.${actor.kind}`)),
  },
  {
    key: 'resource',
    title: t('event.resource'),
    from: 'md',
    cell: ({ resourceId }) => <code className="text-xs break-all">{resourceId}</code>,
  },
]
