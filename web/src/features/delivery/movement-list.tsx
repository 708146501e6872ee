import { fulfillmentStockListMovements } from 'kasir-client'
import { ArrowLeftRight } from 'lucide-react'
import { ListPage } from '../../office/list/list-page.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { idIn, momentIn, numberIn, readRows, textIn } from '../../office/partner-data.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { formatAmount } from '../../ui/rupiah.ts'
import { useStockFilters } from './use-stock-filters.ts'

/** Goods that entered or left the warehouses, newest first. */
export function MovementList() {
  const d = useDeliveryTexts()
  const [{ warehouse, product }] = useOfficeSearch()
  const filters = useStockFilters()
  const nameOf = (key: string, id: string) =>
    filters.find((filter) => filter.key === key)?.options.find(({ value }) => value === id)?.text ?? id
  return (
    <ListPage
      title={d('movements')}
      columns={[
        {
          key: 'sku',
          title: d('stock.product'),
          cell: (movement) => (
            <span className="grid min-w-0">
              <span>{nameOf('product', textIn(movement, 'productId'))}</span>
              <span className="text-xs font-normal text-muted">{momentIn(movement, 'createdAt')}</span>
            </span>
          ),
        },
        {
          key: 'warehouse',
          title: d('warehouse.name'),
          from: 'sm',
          cell: (movement) => nameOf('warehouse', textIn(movement, 'warehouseId')),
        },
        {
          key: 'reason',
          title: d('stock.reason'),
          from: 'md',
          cell: (movement) => <span className="wrap-anywhere">{textIn(movement, 'reason') || '–'}</span>,
        },
        {
          key: 'delta',
          title: d('stock.delta'),
          isAmount: true,
          cell: (movement) => {
            const delta = numberIn(movement, 'qtyDelta')
            return `${delta > 0 ? '+' : ''}${formatAmount(delta)}`
          },
        },
        {
          key: 'after',
          title: d('movement.after'),
          from: 'sm',
          isAmount: true,
          cell: (movement) => formatAmount(numberIn(movement, 'balanceAfter')),
        },
      ]}
      idOf={idIn}
      source={{
        key: ['warehouseMovements', warehouse, product],
        read: (cursor) =>
          readRows(fulfillmentStockListMovements, cursor, { warehouseId: warehouse, productId: product }),
      }}
      filters={filters}
      ErrorView={ModuleFailure}
      empty={{ icon: ArrowLeftRight, title: d('movement.empty'), text: d('movement.emptyText') }}
    />
  )
}
