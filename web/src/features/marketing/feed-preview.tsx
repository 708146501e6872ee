import { useQuery } from '@tanstack/react-query'
import { type FeedPreview, feedsPreview } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { Panel } from '../../office/panel.tsx'
import { useMarketingTexts } from '../../texts/marketing/texts.ts'
import { Select } from '../../ui/select.tsx'

const FORMATS = ['google', 'facebook', 'json'] as const satisfies readonly FeedPreview['format'][]

/** The first items of a feed as the saved settings make it, and why an ad platform would reject them. */
export function FeedPreviewPanel() {
  const m = useMarketingTexts()
  const [format, setFormat] = useState<FeedPreview['format']>('google')
  const preview = useQuery({
    queryKey: ['feedPreview', format],
    queryFn: () => call(feedsPreview, { format }),
    placeholderData: (before) => before,
  })
  return (
    <Panel title={m('feed.preview')} error={preview.error}>
      <div className="grid gap-4 p-4">
        <Select
          label={m('feed.format')}
          value={format}
          onValue={(value) => setFormat(FORMATS.find((each) => each === value) ?? 'google')}
          options={FORMATS.map((value) => ({ value, text: value }))}
        />
        {preview.data && <PreviewContent preview={preview.data} />}
      </div>
    </Panel>
  )
}

function PreviewContent({ preview }: { preview: FeedPreview }) {
  const m = useMarketingTexts()
  const { itemCount, errors, content } = preview
  return (
    <>
      <p className="text-muted">{m('feed.count', { n: itemCount })}</p>
      <section aria-label={m('feed.errors')} className="grid gap-1">
        <h3 className="font-semibold">{m('feed.errors')}</h3>
        {errors.length === 0 && <p className="text-muted">{m('feed.noErrors')}</p>}
        <ul className="grid gap-1 text-sm">
          {errors.map(({ itemId, field, message }) => (
            <li key={`${itemId} ${field}`} className="wrap-anywhere">
              <span className="font-medium">{m('feed.item', { id: itemId })}</span> · {field} · {message}
            </li>
          ))}
        </ul>
      </section>
      <pre className="rounded-xl border p-3 text-xs break-all whitespace-pre-wrap">{content}</pre>
    </>
  )
}
