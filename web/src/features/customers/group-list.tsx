import { type CustomerGroup, customerGroupsList } from 'kasir-client'
import { Plus, Tags } from 'lucide-react'
import { call } from '../../app/service.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatAmount } from '../../ui/rupiah.ts'

export function GroupList() {
  const t = useOfficeTexts()
  const [, setAddress] = useOfficeSearch()
  const create = (
    <May route="customerGroups.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('group.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('groups')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['customerGroups', 'list'],
        read: async () => ({ rows: (await call(customerGroupsList)).customerGroups, cursor: null }),
      }}
      actions={create}
      empty={{ icon: Tags, title: t('group.empty'), text: t('group.emptyText'), action: create }}
    />
  )
}

const columnsIn = (t: OfficeTranslate): readonly Column<CustomerGroup>[] => [
  { key: 'name', title: t('group'), sortBy: ({ name }) => name, cell: ({ name }) => name },
  {
    key: 'count',
    title: t('area.customers'),
    isAmount: true,
    sortBy: ({ customerCount }) => customerCount,
    cell: ({ customerCount }) => formatAmount(customerCount),
  },
]
