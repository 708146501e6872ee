import { useQuery } from '@tanstack/react-query'
import { fulfillmentStockListProducts, warehousesList } from 'kasir-client'
import type { Option } from '../../office/form/field-spec.ts'
import type { Filter } from '../../office/list/column.ts'
import { idIn, type PartnerRecord, readRows, textIn } from '../../office/partner-data.ts'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'

/** Every row of a list of the partner. */
async function readAll(list: typeof warehousesList): Promise<PartnerRecord[]> {
  const rows: PartnerRecord[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof readRows>> = await readRows(list, cursor)
    rows.push(...page.rows)
    cursor = page.cursor
  } while (cursor !== null)
  return rows
}

/** The warehouses and products of the partner as answers of a choice or a filter. */
export function useStockOptions(): { warehouses: readonly Option[]; products: readonly Option[] } {
  const warehouses = useQuery({
    queryKey: ['warehouses', 'all'],
    queryFn: () => readAll(warehousesList),
  })
  const products = useQuery({
    queryKey: ['warehouseProducts'],
    queryFn: () => readAll(fulfillmentStockListProducts),
  })
  const optionsIn = (rows: readonly PartnerRecord[] | undefined) =>
    (rows ?? []).map((row) => ({ value: idIn(row), text: textIn(row, 'name') || textIn(row, 'sku') }))
  return { warehouses: optionsIn(warehouses.data), products: optionsIn(products.data) }
}

export function useStockFilters(): readonly Filter[] {
  const d = useDeliveryTexts()
  const { warehouses, products } = useStockOptions()
  return [
    { key: 'warehouse', label: d('warehouse.name'), options: warehouses },
    { key: 'product', label: d('stock.product'), options: products },
  ]
}
