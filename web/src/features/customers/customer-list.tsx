import { type Customer, customersList } from 'kasir-client'
import { Plus, Users } from 'lucide-react'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'
import { formatMoment } from '../../ui/time.ts'

export function CustomerList() {
  const t = useOfficeTexts()
  const [{ q }, setAddress] = useOfficeSearch()
  const create = (
    <May route="customers.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('customer.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('area.customers')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['customers', q],
        read: (cursor) =>
          callPage(
            customersList,
            { limit: PAGE_ROWS, ...(cursor !== null && { cursor }), ...(q && { q }) },
            ({ customers }) => customers,
          ),
      }}
      search={{ label: t('customer.search') }}
      actions={create}
      empty={{ icon: Users, title: t('customer.empty'), text: t('customer.emptyText'), action: create }}
    />
  )
}

const columnsIn = (t: OfficeTranslate): readonly Column<Customer>[] => [
  {
    key: 'name',
    title: t('customer.name'),
    sortBy: ({ name }) => name,
    cell: ({ name, phone }) => (
      <span className="grid min-w-0">
        <span className="break-words">{name}</span>
        {phone && <span className="text-xs font-normal text-muted">{phone}</span>}
      </span>
    ),
  },
  {
    key: 'points',
    title: t('customer.points'),
    isAmount: true,
    sortBy: ({ pointsBalance }) => pointsBalance,
    cell: ({ pointsBalance }) => formatAmount(pointsBalance),
  },
  {
    key: 'visits',
    title: t('customer.visits'),
    from: 'md',
    isAmount: true,
    sortBy: ({ visitCount }) => visitCount,
    cell: ({ visitCount }) => formatAmount(visitCount),
  },
  {
    key: 'spent',
    title: t('customer.spent'),
    from: 'sm',
    isAmount: true,
    sortBy: ({ totalSpent }) => totalSpent,
    cell: ({ totalSpent }) => formatRupiah(totalSpent),
  },
  {
    key: 'last',
    title: t('customer.lastVisit'),
    from: 'md',
    sortBy: ({ lastVisitAt }) => lastVisitAt ?? '',
    cell: ({ lastVisitAt }) => (lastVisitAt === null ? '–' : formatMoment(lastVisitAt)),
  },
]
