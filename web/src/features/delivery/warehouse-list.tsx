import { warehousesList } from 'kasir-client'
import { Plus, Warehouse } from 'lucide-react'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { idIn, readRows, textIn } from '../../office/partner-data.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'

/** The warehouses of the partner. */
export function WarehouseList() {
  const t = useOfficeTexts()
  const d = useDeliveryTexts()
  const [, setAddress] = useOfficeSearch()
  const create = (
    <May route="warehouses.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {d('warehouse.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={d('warehouses')}
      columns={[
        {
          key: 'name',
          title: d('warehouse.name'),
          sortBy: (row) => textIn(row, 'name'),
          cell: (row) => textIn(row, 'name'),
        },
        {
          key: 'address',
          title: d('place.address'),
          from: 'sm',
          cell: (row) => `${textIn(row, 'address')} ${textIn(row, 'postalCode')}`,
        },
        {
          key: 'state',
          title: t('state'),
          cell: ({ isActive }) => (
            <StateMark look={isActive === true ? 'good' : 'muted'}>
              {t(isActive === true ? 'state.active' : 'state.inactive')}
            </StateMark>
          ),
        },
      ]}
      idOf={idIn}
      open={(row) => ({ id: idIn(row) })}
      source={{ key: ['warehouses', 'list'], read: (cursor) => readRows(warehousesList, cursor) }}
      actions={create}
      ErrorView={ModuleFailure}
      empty={{ icon: Warehouse, title: d('warehouse.empty'), text: d('warehouse.emptyText'), action: create }}
    />
  )
}
