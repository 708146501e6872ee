import { type StockCount, stockCountsList } from 'kasir-client'
import { ClipboardCheck, Plus } from 'lucide-react'
import { callPage, PAGE_ROWS } from '../../../office/call-page.ts'
import type { Column } from '../../../office/list/column.ts'
import { ListPage } from '../../../office/list/list-page.tsx'
import { May } from '../../../office/may.tsx'
import { useOfficeSearch } from '../../../office/search-state.ts'
import { StateMark } from '../../../office/state-mark.tsx'
import { useAllOutletOptions, useOutletName } from '../../../office/use-outlet-options.ts'
import { outletZone } from '../../../offline/shop.ts'
import { useOfficeTexts } from '../../../texts/office/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatAmount } from '../../../ui/rupiah.ts'
import { formatMoment } from '../../../ui/time.ts'

export const COUNT_LOOKS = { OPEN: 'warn', POSTED: 'good', CANCELLED: 'muted' } as const
const STATES = ['OPEN', 'POSTED', 'CANCELLED'] as const
const isState = (text: string | undefined): text is (typeof STATES)[number] =>
  STATES.includes(text as (typeof STATES)[number])

/** The counts of stock, the newest first. */
export function CountList() {
  const t = useOfficeTexts()
  const outlets = useAllOutletOptions()
  const [{ outlet, status }, setAddress] = useOfficeSearch()
  const create = (
    <May route="stockCounts.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('count.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('counts')}
      columns={useColumns()}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['stockCounts', outlet, status],
        read: (cursor) =>
          callPage(
            stockCountsList,
            {
              limit: PAGE_ROWS,
              ...(cursor !== null && { cursor }),
              ...(outlet && { outletId: outlet }),
              ...(isState(status) && { status }),
            },
            (rows) => rows,
          ),
      }}
      filters={[
        ...(outlets.length > 1 ? [{ key: 'outlet', label: t('outlet'), options: outlets }] : []),
        {
          key: 'status',
          label: t('state'),
          options: STATES.map((value) => ({ value, text: t(`count.${value}`) })),
        },
      ]}
      actions={create}
      empty={{ icon: ClipboardCheck, title: t('count.empty'), text: t('count.emptyText'), action: create }}
    />
  )
}

function useColumns(): readonly Column<StockCount>[] {
  const t = useOfficeTexts()
  const outletName = useOutletName()
  return [
    {
      key: 'outlet',
      title: t('count'),
      cell: ({ outletId, createdAt, categoryIds }) => (
        <span className="grid min-w-0">
          {outletName(outletId)}
          <span className="text-xs font-normal text-muted">
            {formatMoment(createdAt, outletZone(outletId))}
            {categoryIds !== null && ` · ${t('count.categories', { n: categoryIds.length })}`}
          </span>
        </span>
      ),
    },
    {
      key: 'lines',
      title: t('count.lines'),
      isAmount: true,
      cell: ({ lineCount }) => formatAmount(lineCount),
    },
    {
      key: 'state',
      title: t('state'),
      cell: ({ status }) => <StateMark look={COUNT_LOOKS[status]}>{t(`count.${status}`)}</StateMark>,
    },
  ]
}
