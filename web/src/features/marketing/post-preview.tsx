import { Panel } from '../../office/panel.tsx'
import { useMarketingTexts } from '../../texts/marketing/texts.ts'
import type { PostValues } from './post-values.ts'

/** A post as readers see its words. Every field is shown as text: it may hold markup that another program wrote. */
export function PostPreview({ values }: { values: PostValues }) {
  const m = useMarketingTexts()
  const { title, body, excerpt, authorName, tags } = values
  const paragraphs = body.split(/\n\s*\n/).filter((each) => each.trim() !== '')
  return (
    <Panel title={m('post.preview')}>
      <article className="grid gap-3 p-4 wrap-anywhere">
        <h3 className="text-xl font-bold">{title || '–'}</h3>
        {authorName && <p className="text-sm text-muted">{authorName}</p>}
        {excerpt && <p className="font-medium">{excerpt}</p>}
        {paragraphs.length === 0 && <p className="text-muted">{m('post.emptyBody')}</p>}
        {paragraphs.map((each, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- paragraphs have no identity but their place
          <p key={at} className="whitespace-pre-line">
            {each}
          </p>
        ))}
        {tags.length > 0 && <p className="text-sm text-muted">{tags.map((tag) => `#${tag}`).join(' ')}</p>}
      </article>
    </Panel>
  )
}
