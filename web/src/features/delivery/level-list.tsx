import { fulfillmentStockListLevels } from 'kasir-client'
import { Boxes, PackagePlus } from 'lucide-react'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May, useMay } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { idIn, numberIn, type PartnerRecord, readRows, textIn } from '../../office/partner-data.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type DeliveryTranslate, useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatAmount } from '../../ui/rupiah.ts'
import { useStockFilters } from './use-stock-filters.ts'

/** The stock of each product in each warehouse. A row leads to its correction. */
export function LevelList() {
  const d = useDeliveryTexts()
  const may = useMay()
  const [{ warehouse, product }, setAddress] = useOfficeSearch()
  const adjust = (
    <May route="fulfillmentStock.adjust">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <PackagePlus aria-hidden size={20} />
        {d('stock.adjust')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={d('levels')}
      columns={columnsIn(d)}
      idOf={idIn}
      {...(may('fulfillmentStock.adjust') && {
        open: (level: PartnerRecord) => ({
          id: 'new',
          warehouse: textIn(level, 'warehouseId'),
          product: textIn(level, 'productId'),
        }),
      })}
      source={{
        key: ['levels', 'warehouses', warehouse, product],
        read: (cursor) =>
          readRows(fulfillmentStockListLevels, cursor, { warehouseId: warehouse, productId: product }),
      }}
      filters={useStockFilters()}
      actions={adjust}
      ErrorView={ModuleFailure}
      empty={{ icon: Boxes, title: d('stock.empty'), text: d('stock.emptyText'), action: adjust }}
    />
  )
}

const columnsIn = (d: DeliveryTranslate): readonly Column<PartnerRecord>[] => [
  {
    key: 'product',
    title: d('stock.product'),
    sortBy: (level) => textIn(level, 'productName'),
    cell: (level) => (
      <span className="grid min-w-0">
        <span>{textIn(level, 'productName')}</span>
        <span className="text-xs font-normal text-muted">{textIn(level, 'sku')}</span>
        <span className="text-xs font-normal text-muted sm:hidden">{textIn(level, 'warehouseName')}</span>
      </span>
    ),
  },
  {
    key: 'warehouse',
    title: d('warehouse.name'),
    from: 'sm',
    sortBy: (level) => textIn(level, 'warehouseName'),
    cell: (level) => textIn(level, 'warehouseName'),
  },
  {
    key: 'quantity',
    title: d('stock.quantity'),
    isAmount: true,
    sortBy: (level) => numberIn(level, 'quantity'),
    cell: (level) => formatAmount(numberIn(level, 'quantity')),
  },
]
