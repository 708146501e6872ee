import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type PurchaseOrder,
  purchaseOrdersCreate,
  purchaseOrdersGet,
  purchaseOrdersUpdate,
  suppliersList,
} from 'kasir-client'
import { call } from '../../app/service.ts'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { GoodsRows } from '../../office/goods-rows.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useOutletOptions } from '../../office/use-outlet-options.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { MoneyField } from '../../ui/money-field.tsx'
import { DraftActions } from './draft-actions.tsx'
import { LowStockButton } from './low-stock-button.tsx'
import { type OrderRow, type OrderValues, orderBody, toOrderValues } from './order-values.ts'

type OrderFormProps = { order: PurchaseOrder | null; outletId: string; onChange(): void }

export function OrderForm({ order, outletId, onChange }: OrderFormProps) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const form = useForm<OrderValues>({
    name: `order:${order?.id ?? 'new'}`,
    initial: order === null ? { outletId, supplierId: null, note: null, items: [] } : toOrderValues(order),
    save: async (values, _changes, options) => {
      const { outletId: at, ...body } = orderBody(values)
      const { purchaseOrder } =
        order === null
          ? await call(purchaseOrdersCreate, { ...body, outletId: at }, options)
          : await call(purchaseOrdersUpdate, { ...body, id: order.id }, options)
      void queries.invalidateQueries({ queryKey: ['orders'] })
      void setAddress({ id: purchaseOrder.id }, true)
    },
    // An update replaces all rows, so those that another person saved meanwhile must be known (B-purchase-2).
    readAgain:
      order === null
        ? undefined
        : async () => toOrderValues((await call(purchaseOrdersGet, { id: order.id })).purchaseOrder),
    onSaved: onChange,
  })
  const setRows = (items: readonly OrderRow[]) => form.set({ items })
  return (
    <FormPage
      title={order === null ? t('order.new') : t('order.draftOf', { number: order.number })}
      form={form}
      fields={useFields(order === null)}
      partLabels={{ items: t('goods.list') }}
      actions={order !== null && <DraftActions order={order} isDirty={form.isDirty} onChange={onChange} />}
    >
      <LowStockButton outletId={form.values.outletId} rows={form.values.items} onRows={setRows} />
      <GoodsRows
        rows={form.values.items}
        onRows={setRows}
        hasPacks
        rowFrom={(row) => ({ ...row, cost: null })}
        more={({ cost }, set) => (
          <MoneyField
            className="w-40"
            label={t('variant.cost')}
            value={cost}
            onValue={(value) => set({ cost: value })}
          />
        )}
      />
    </FormPage>
  )
}

function useFields(isNew: boolean): readonly FieldSpec<OrderValues>[] {
  const t = useOfficeTexts()
  const outlets = useOutletOptions()
  const suppliers = useQuery({
    queryKey: ['suppliers'],
    queryFn: async () => (await call(suppliersList)).suppliers,
  })
  return [
    {
      kind: 'choice',
      name: 'supplierId',
      label: t('order.supplier'),
      none: t('order.noSupplier'),
      options: (suppliers.data ?? [])
        .filter(({ isActive }) => isActive)
        .map(({ id, name }) => ({ value: id, text: name })),
    },
    {
      kind: 'choice',
      name: 'outletId',
      label: t('outlet'),
      isRequired: true,
      options: outlets,
      isShown: () => isNew,
    },
    { kind: 'area', name: 'note', label: t('customer.note'), maxLength: 1_000, isWide: true },
  ]
}
