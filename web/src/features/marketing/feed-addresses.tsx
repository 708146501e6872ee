import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { settingsGet } from 'kasir-client'
import { call } from '../../app/service.ts'
import { Panel } from '../../office/panel.tsx'
import { useMarketingTexts } from '../../texts/marketing/texts.ts'

const FILES = ['feed.xml', 'feed.csv', 'feed.json'] as const

/** The public addresses of the feeds; without a name of the shop there are none. */
export function FeedAddresses() {
  const m = useMarketingTexts()
  const slug = useQuery({
    queryKey: ['publicSlug'],
    queryFn: async () => (await call(settingsGet)).settings.publicSlug,
  })
  if (slug.data === undefined && slug.error === null) return null
  return (
    <Panel title={m('feed.addresses')} error={slug.error}>
      {slug.data ? (
        <ul aria-label={m('feed.addresses')} className="grid gap-2 p-4">
          {FILES.map((file) => (
            <li key={file}>
              <code className="text-sm break-all select-all">
                {`${window.location.origin}/api/v1/public/${slug.data}/${file}`}
              </code>
            </li>
          ))}
        </ul>
      ) : (
        <p className="p-4">
          {m('feed.noSlug')}{' '}
          <Link to="/pengaturan" search={{ tab: 'business' }} className="font-semibold underline">
            {m('feed.toSettings')}
          </Link>
        </p>
      )}
    </Panel>
  )
}
