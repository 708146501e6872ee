import { useQueryClient } from '@tanstack/react-query'
import { inventoryCreateBatch } from 'kasir-client'
import { call } from '../../app/service.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useOutletOptions } from '../../office/use-outlet-options.ts'
import { WithOutlet } from '../../office/with-outlet.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { type VariantChoice, VariantField } from './variant-field.tsx'

type BatchValues = VariantChoice & {
  outletId: string
  batchNo: string | null
  expiryDate: string | null
  qty: number | null
  cost: number | null
}

/** Counts a batch in, with its number and the day it expires. */
export function BatchEditor() {
  return <WithOutlet>{({ id }) => <BatchForm outletId={id} />}</WithOutlet>
}

function BatchForm({ outletId }: { outletId: string }) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const outlets = useOutletOptions()
  const [, setAddress] = useOfficeSearch()
  const form = useForm<BatchValues>({
    name: 'batch:new',
    initial: {
      variantId: '',
      variantName: '',
      soldBy: 'UNIT',
      outletId,
      batchNo: null,
      expiryDate: null,
      qty: null,
      cost: null,
    },
    save: ({ variantName: _, soldBy: __, qty, cost, ...fields }, _changes, options) =>
      call(inventoryCreateBatch, { ...fields, qty: qty ?? 0, ...(cost !== null && { cost }) }, options),
    onSaved: () => {
      for (const key of ['batches', 'levels', 'movements'])
        void queries.invalidateQueries({ queryKey: [key] })
      void setAddress({ id: null })
    },
  })
  return (
    <FormPage
      title={t('batch.new')}
      form={form}
      before={<VariantField form={form} />}
      fields={[
        { kind: 'choice', name: 'outletId', label: t('outlet'), isRequired: true, options: outlets },
        {
          kind: 'whole',
          name: 'qty',
          label: t('goods.qty'),
          ...(form.values.soldBy === 'WEIGHT' && { hint: t('goods.inGrams') }),
          isRequired: true,
          min: 1,
        },
        { kind: 'text', name: 'batchNo', label: t('batch.number'), maxLength: 120 },
        { kind: 'date', name: 'expiryDate', label: t('batch.expiry') },
        { kind: 'money', name: 'cost', label: t('variant.cost') },
      ]}
    />
  )
}
