import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { DeliveryDetail } from './delivery-detail.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { EndpointEditor } from './endpoint-form.tsx'
import { EndpointList } from './endpoint-list.tsx'
import { EventList } from './event-list.tsx'

/** Webhook endpoints, their deliveries, and the log of events. */
export function DeveloperPage() {
  const t = useOfficeTexts()
  const [{ tab = 'endpoints', id }] = useOfficeSearch()
  if (id !== undefined)
    return tab === 'deliveries' ? <DeliveryDetail key={id} id={id} /> : <EndpointEditor key={id} id={id} />
  return (
    <>
      <Tabs
        label={t('area.developer')}
        tabs={[
          { key: 'endpoints', text: t('webhooks') },
          { key: 'deliveries', text: t('deliveries') },
          { key: 'events', text: t('events') },
        ]}
      />
      {tab === 'endpoints' && <EndpointList />}
      {tab === 'deliveries' && <DeliveryList />}
      {tab === 'events' && <EventList />}
    </>
  )
}
