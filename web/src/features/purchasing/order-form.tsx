import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type PurchaseOrder,
  purchaseOrdersCancel,
  purchaseOrdersCreate,
  purchaseOrdersOrder,
  purchaseOrdersUpdate,
  reportsListLowStock,
  suppliersList,
} from 'kasir-client'
import { PackagePlus, Send } from 'lucide-react'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { type GoodsRow, GoodsRows } from '../../office/goods-rows.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { nameOf, useOutletOptions } from '../../office/use-outlet-options.ts'
import { useOutlet } from '../../offline/shop.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { MoneyField } from '../../ui/money-field.tsx'

type OrderRow = GoodsRow & { cost: number | null }
type OrderForm = {
  outletId: string
  supplierId: string | null
  note: string | null
  items: readonly OrderRow[]
}

const toForm = ({ outletId, supplierId, note, items }: PurchaseOrder): OrderForm => ({
  outletId,
  supplierId,
  note,
  items: items.map(({ variantId, productName, variantName, qty, cost }) => ({
    variantId,
    name: nameOf(productName, variantName),
    qty,
    cost,
  })),
})

/** A cost that is left empty is that of the goods. */
const bodyOf = ({ items, ...fields }: OrderForm) => ({
  ...fields,
  items: items.map(({ variantId, qty, cost }) => ({ variantId, qty, ...(cost !== null && { cost }) })),
})

export function OrderForm({ order, onChange }: { order: PurchaseOrder | null; onChange(): void }) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const outlet = useOutlet()
  const [, setAddress] = useOfficeSearch()
  const form = useForm<OrderForm>({
    name: `order:${order?.id ?? 'new'}`,
    initial:
      order === null
        ? { outletId: outlet?.id ?? '', supplierId: null, note: null, items: [] }
        : toForm(order),
    save: async (values, _changes, options) => {
      const body = bodyOf(values)
      const { purchaseOrder } =
        order === null
          ? await call(purchaseOrdersCreate, body, options)
          : await call(purchaseOrdersUpdate, { ...body, id: order.id }, options)
      void queries.invalidateQueries({ queryKey: ['orders'] })
      void setAddress({ id: purchaseOrder.id }, true)
    },
    onSaved: onChange,
  })
  const setRows = (items: readonly OrderRow[]) => form.set({ items })
  return (
    <FormPage
      title={order === null ? t('order.new') : t('order.draftOf', { number: order.number })}
      form={form}
      fields={useFields(order === null)}
      actions={order !== null && <DraftActions order={order} isDirty={form.isDirty} onChange={onChange} />}
    >
      <LowStockButton outletId={form.values.outletId} rows={form.values.items} onRows={setRows} />
      <GoodsRows
        rows={form.values.items}
        onRows={setRows}
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

function useFields(isNew: boolean): readonly FieldSpec<OrderForm>[] {
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
      isShown: () => isNew || outlets.length > 1,
    },
    { kind: 'area', name: 'note', label: t('customer.note'), maxLength: 1_000, isWide: true },
  ]
}

type LowStockProps = { outletId: string; rows: readonly OrderRow[]; onRows(rows: readonly OrderRow[]): void }

/** Adds the goods at or below their reorder point, enough to reach twice that point. */
function LowStockButton({ outletId, rows, onRows }: LowStockProps) {
  const t = useOfficeTexts()
  const fill = useMutation({
    mutationFn: async () => (await call(reportsListLowStock, { outletId })).levels,
    onSuccess: (levels) => {
      const more = levels
        .filter(({ variantId }) => !rows.some((row) => row.variantId === variantId))
        .map(({ variantId, productName, variantName, quantity, reorderPoint }) => ({
          variantId,
          name: nameOf(productName, variantName),
          qty: Math.max((reorderPoint ?? 0) * 2 - quantity, 1),
          cost: null,
        }))
      onRows([...rows, ...more])
    },
  })
  return (
    <div className="grid gap-2">
      <Button
        className="justify-self-start"
        disabled={outletId === '' || fill.isPending}
        onClick={() => fill.mutate()}
      >
        <PackagePlus aria-hidden size={18} />
        {t('order.fill')}
      </Button>
      {fill.data?.length === 0 && <p className="text-sm text-muted">{t('home.noLowStock')}</p>}
      <Failure error={fill.error} />
    </div>
  )
}

type DraftProps = { order: PurchaseOrder; isDirty: boolean; onChange(): void }

function DraftActions({ order, isDirty, onChange }: DraftProps) {
  const t = useOfficeTexts()
  const send = useMutation({
    mutationFn: () => call(purchaseOrdersOrder, { id: order.id }),
    onSuccess: onChange,
  })
  return (
    <>
      <Failure error={send.error} />
      <May route="purchaseOrders.order">
        <Button disabled={isDirty || send.isPending} onClick={() => send.mutate()}>
          <Send aria-hidden size={18} />
          {t('order.send')}
        </Button>
      </May>
      <DeleteButton
        route="purchaseOrders.cancel"
        name={order.number}
        label={t('order.cancel')}
        text={t('order.cancelText')}
        remove={() => call(purchaseOrdersCancel, { id: order.id })}
        onDone={onChange}
        isDirty={isDirty}
      />
    </>
  )
}
