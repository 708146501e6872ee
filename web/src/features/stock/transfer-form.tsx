import { useQueryClient } from '@tanstack/react-query'
import { inventoryTransfer } from 'kasir-client'
import { call } from '../../app/service.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { type GoodsRow, GoodsRows } from '../../office/goods-rows.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useAllOutletOptions, useOutletOptions } from '../../office/use-outlet-options.ts'
import { WithOutlet } from '../../office/with-outlet.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'

type TransferValues = { fromOutletId: string; toOutletId: string; goods: readonly GoodsRow[] }

/** Moves goods to another outlet, one call for each row. Rows that arrived are not sent again. */
export function TransferEditor() {
  return <WithOutlet>{({ id }) => <TransferForm outletId={id} />}</WithOutlet>
}

function TransferForm({ outletId }: { outletId: string }) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const outlets = useOutletOptions()
  const sources = useAllOutletOptions()
  const [, setAddress] = useOfficeSearch()
  const form = useForm<TransferValues>({
    name: 'transfer',
    initial: { fromOutletId: outletId, toOutletId: '', goods: [] },
    save: async ({ fromOutletId, toOutletId, goods }, _changes, { idempotencyKey }, progress) => {
      for (const { variantId, qty } of goods) {
        if (progress.done[variantId] !== undefined) continue
        const key = `${idempotencyKey}-${variantId}`
        await call(inventoryTransfer, { fromOutletId, toOutletId, variantId, qty }, { idempotencyKey: key })
        progress.complete(variantId, String(qty))
      }
    },
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: ['levels'] })
      void queries.invalidateQueries({ queryKey: ['movements'] })
      void setAddress({ id: null })
    },
  })
  // The goods that have moved are between these outlets.
  const isLocked = Object.keys(form.progress.done).length > 0
  return (
    <FormPage
      title={t('stock.transfer')}
      form={form}
      submitText={t('stock.transferNow')}
      fields={[
        {
          kind: 'choice',
          name: 'fromOutletId',
          label: t('stock.from'),
          isRequired: true,
          isLocked,
          options: sources,
        },
        {
          kind: 'choice',
          name: 'toOutletId',
          label: t('stock.to'),
          isRequired: true,
          isLocked,
          options: outlets.filter(({ value }) => value !== form.values.fromOutletId),
        },
      ]}
    >
      <GoodsRows
        rows={form.values.goods}
        onRows={(goods) => form.set({ goods })}
        isDone={({ variantId }) => form.progress.done[variantId] !== undefined}
      />
    </FormPage>
  )
}
