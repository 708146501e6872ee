import { useQueryClient } from '@tanstack/react-query'
import { type Feeds, feedsGet, feedsUpdate } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { useMay } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { type MarketingTranslate, useMarketingTexts } from '../../texts/marketing/texts.ts'
import { FeedAddresses } from './feed-addresses.tsx'
import { FeedPreviewPanel } from './feed-preview.tsx'

type FeedValues = Pick<Feeds, 'enabled' | 'productUrl' | 'defaultFeedProductCategory' | 'includeUnpublished'>

async function read(): Promise<FeedValues> {
  const { feeds } = await call(feedsGet)
  const { enabled, productUrl, defaultFeedProductCategory, includeUnpublished } = feeds
  return { enabled, productUrl, defaultFeedProductCategory, includeUnpublished }
}

/** The settings of the feeds that ad platforms read, their addresses, and what they contain. */
export function FeedsPage() {
  const queries = useQueryClient()
  const [version, setVersion] = useState(0)
  const record = useRecord(['feeds', version], read)
  if (!record.data) return <RecordState query={record} ErrorView={ModuleFailure} />
  return (
    <FeedsForm
      key={version}
      feeds={record.data}
      onSaved={() => {
        void queries.invalidateQueries({ queryKey: ['feedPreview'] })
        setVersion((now) => now + 1)
      }}
    />
  )
}

function FeedsForm({ feeds, onSaved }: { feeds: FeedValues; onSaved(): void }) {
  const m = useMarketingTexts()
  const may = useMay()
  const form = useForm<FeedValues>({
    name: 'marketing:feeds',
    initial: feeds,
    save: (_values, changes, options) => call(feedsUpdate, changes, options),
    readAgain: read,
    onSaved,
  })
  return (
    <FormPage
      title={m('feeds')}
      form={form}
      hasList={false}
      isReadOnly={!may('feeds.update')}
      fields={fieldsIn(m)}
    >
      <FeedAddresses />
      <FeedPreviewPanel />
    </FormPage>
  )
}

const fieldsIn = (m: MarketingTranslate): readonly FieldSpec<FeedValues>[] => [
  { kind: 'switch', name: 'enabled', label: m('feed.enabled'), isWide: true },
  {
    kind: 'text',
    name: 'productUrl',
    label: m('feed.productUrl'),
    hint: m('feed.productUrlHint'),
    maxLength: 600,
    isWide: true,
  },
  { kind: 'text', name: 'defaultFeedProductCategory', label: m('feed.category'), maxLength: 500 },
  { kind: 'switch', name: 'includeUnpublished', label: m('feed.inactive') },
]
