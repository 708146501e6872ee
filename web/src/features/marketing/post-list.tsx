import { type BlogPost, blogList } from 'kasir-client'
import { Newspaper, Plus } from 'lucide-react'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { type MarketingTranslate, useMarketingTexts } from '../../texts/marketing/texts.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatMoment } from '../../ui/time.ts'

const STATES = ['draft', 'published'] as const
export const POST_LOOKS = { draft: 'muted', published: 'good' } as const

export function PostList() {
  const t = useOfficeTexts()
  const m = useMarketingTexts()
  const [{ status }, setAddress] = useOfficeSearch()
  const state = STATES.find((each) => each === status)
  const create = (
    <May route="blog.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {m('post.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={m('blog')}
      columns={columnsIn(m, t('state'))}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['posts', state],
        read: (cursor) =>
          callPage(
            blogList,
            { limit: PAGE_ROWS, ...(cursor !== null && { cursor }), ...(state && { status: state }) },
            (rows) => rows,
          ),
      }}
      filters={[
        {
          key: 'status',
          label: t('state'),
          options: STATES.map((value) => ({ value, text: m(`post.${value}`) })),
        },
      ]}
      actions={create}
      ErrorView={ModuleFailure}
      empty={{ icon: Newspaper, title: m('post.empty'), text: m('post.emptyText'), action: create }}
    />
  )
}

const columnsIn = (m: MarketingTranslate, state: string): readonly Column<BlogPost>[] => [
  {
    key: 'title',
    title: m('post.title'),
    sortBy: ({ title }) => title,
    cell: ({ title, slug }) => (
      <span className="grid min-w-0">
        <span>{title}</span>
        <span className="text-xs font-normal text-muted">{slug}</span>
      </span>
    ),
  },
  {
    key: 'author',
    title: m('post.author'),
    from: 'md',
    cell: ({ authorName }) => <span className="wrap-anywhere">{authorName ?? '–'}</span>,
  },
  {
    key: 'published',
    title: m('post.publishedAt'),
    from: 'sm',
    sortBy: ({ publishedAt }) => publishedAt ?? '',
    cell: ({ publishedAt }) => (publishedAt === null ? '–' : formatMoment(publishedAt)),
  },
  {
    key: 'state',
    title: state,
    cell: ({ status }) => <StateMark look={POST_LOOKS[status]}>{m(`post.${status}`)}</StateMark>,
  },
]
