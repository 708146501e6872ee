import { type Supplier, suppliersList } from 'kasir-client'
import { Plus, Truck } from 'lucide-react'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { type OfficeTranslate, useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'

export function SupplierList() {
  const t = useOfficeTexts()
  const [{ q }, setAddress] = useOfficeSearch()
  const create = (
    <May route="suppliers.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('supplier.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('suppliers')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['suppliers', 'list', q],
        read: (cursor) =>
          callPage(
            suppliersList,
            { limit: PAGE_ROWS, ...(cursor !== null && { cursor }), ...(q && { q }) },
            ({ suppliers }) => suppliers,
          ),
      }}
      search={{ label: t('supplier.search') }}
      actions={create}
      empty={{ icon: Truck, title: t('supplier.empty'), text: t('supplier.emptyText'), action: create }}
    />
  )
}

const columnsIn = (t: OfficeTranslate): readonly Column<Supplier>[] => [
  { key: 'name', title: t('order.supplier'), sortBy: ({ name }) => name, cell: ({ name }) => name },
  { key: 'contact', title: t('supplier.contact'), from: 'md', cell: ({ contact }) => contact ?? '–' },
  { key: 'phone', title: t('customer.phone'), from: 'sm', cell: ({ phone }) => phone ?? '–' },
  {
    key: 'state',
    title: t('state'),
    cell: ({ isActive }) => (
      <StateMark look={isActive ? 'good' : 'muted'}>
        {t(isActive ? 'state.active' : 'state.inactive')}
      </StateMark>
    ),
  },
]
