import { useQueryClient } from '@tanstack/react-query'
import { fulfillmentStockAdjust } from 'kasir-client'
import { call } from '../../app/service.ts'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useMay } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { useStockOptions } from './use-stock-filters.ts'

type AdjustValues = {
  warehouseId: string
  /** Null adds a product with the SKU and the name. */
  productId: string | null
  sku: string | null
  name: string | null
  qtyDelta: number | null
  reason: string | null
}

/** Records goods that entered or left a warehouse. */
export function AdjustForm() {
  const d = useDeliveryTexts()
  const may = useMay()
  const queries = useQueryClient()
  const [{ warehouse = '', product = null }, setAddress] = useOfficeSearch()
  const form = useForm<AdjustValues>({
    name: `warehouseStock:${warehouse}:${product}`,
    initial: {
      warehouseId: warehouse,
      productId: product,
      sku: null,
      name: null,
      qtyDelta: null,
      reason: null,
    },
    save: ({ warehouseId, productId, sku, name, qtyDelta, reason }, _changes, options) =>
      call(
        fulfillmentStockAdjust,
        {
          warehouseId,
          qtyDelta,
          ...(productId === null ? { sku: sku ?? '', ...(name !== null && { name }) } : { productId }),
          ...(reason !== null && { reason }),
        },
        options,
      ),
    onSaved: () => {
      for (const key of ['levels', 'warehouseMovements', 'warehouseProducts'])
        void queries.invalidateQueries({ queryKey: [key] })
      void setAddress({ id: null })
    },
  })
  return (
    <FormPage
      title={d('stock.adjust')}
      form={form}
      isReadOnly={!may('fulfillmentStock.adjust')}
      fields={useFields()}
    />
  )
}

function useFields(): readonly FieldSpec<AdjustValues>[] {
  const d = useDeliveryTexts()
  const { warehouses, products } = useStockOptions()
  const isNew = ({ productId }: AdjustValues) => productId === null
  return [
    {
      kind: 'choice',
      name: 'warehouseId',
      label: d('warehouse.name'),
      isRequired: true,
      options: warehouses,
    },
    {
      kind: 'choice',
      name: 'productId',
      label: d('stock.product'),
      none: d('stock.newProduct'),
      options: products,
    },
    { kind: 'text', name: 'sku', label: d('stock.sku'), maxLength: 64, isShown: isNew },
    { kind: 'text', name: 'name', label: d('stock.productName'), maxLength: 120, isShown: isNew },
    {
      kind: 'whole',
      name: 'qtyDelta',
      label: d('stock.delta'),
      hint: d('stock.deltaHint'),
      isRequired: true,
    },
    { kind: 'text', name: 'reason', label: d('stock.reason'), maxLength: 300 },
  ]
}
