import { type GiftCard, giftCardsList } from 'kasir-client'
import { Gift, Plus } from 'lucide-react'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatMoment } from '../../ui/time.ts'

const STATES = ['ACTIVE', 'REDEEMED', 'VOIDED'] as const
const isState = (text: string | undefined): text is (typeof STATES)[number] =>
  STATES.includes(text as (typeof STATES)[number])

export function CardList() {
  const t = useOfficeTexts()
  const [{ status }, setAddress] = useOfficeSearch()
  const create = (
    <May route="giftCards.issue">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('card.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('area.gift-cards')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ code }) => ({ id: code })}
      source={{
        key: ['giftCards', status],
        read: (cursor) =>
          callPage(
            giftCardsList,
            { limit: PAGE_ROWS, ...(cursor !== null && { cursor }), ...(isState(status) && { status }) },
            (rows) => rows,
          ),
      }}
      search={{
        label: t('card.search'),
        matches: ({ code, note }, text) => `${code} ${note ?? ''}`.toLowerCase().includes(text),
      }}
      filters={[
        {
          key: 'status',
          label: t('state'),
          options: STATES.map((value) => ({ value, text: t(`card.${value}`) })),
        },
      ]}
      actions={create}
      empty={{ icon: Gift, title: t('card.empty'), text: t('card.emptyText'), action: create }}
    />
  )
}

const columnsIn = (t: OfficeTranslate): readonly Column<GiftCard>[] => [
  {
    key: 'code',
    title: t('card.code'),
    cell: ({ code, kind, note }) => (
      <span className="grid min-w-0">
        <span className="font-mono break-all">{code}</span>
        <span className="text-xs font-normal break-words text-muted">
          {[t(`card.${kind}`), note].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
  },
  {
    key: 'balance',
    title: t('card.balance'),
    isAmount: true,
    sortBy: ({ balance }) => balance,
    cell: ({ balance }) => formatRupiah(balance),
  },
  {
    key: 'initial',
    title: t('card.initial'),
    from: 'md',
    isAmount: true,
    sortBy: ({ initialAmount }) => initialAmount,
    cell: ({ initialAmount }) => formatRupiah(initialAmount),
  },
  {
    key: 'created',
    title: t('card.issuedAt'),
    from: 'md',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => formatMoment(createdAt),
  },
  {
    key: 'state',
    title: t('state'),
    from: 'sm',
    cell: ({ status }) => (
      <StateMark look={status === 'ACTIVE' ? 'good' : status === 'VOIDED' ? 'danger' : 'muted'}>
        {t(`card.${status}`)}
      </StateMark>
    ),
  },
]
