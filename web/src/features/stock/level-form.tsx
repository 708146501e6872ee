import { useQueryClient } from '@tanstack/react-query'
import { inventoryAdjust, inventoryListLevels, inventorySetReorderPoint, type StockLevel } from 'kasir-client'
import { call } from '../../app/service.ts'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { type FormRequest, type FormState, useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { amountOfGoods } from '../../office/goods-amounts.ts'
import { useMay } from '../../office/may.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { nameOf, useOutletName, useOutletOptions } from '../../office/use-outlet-options.ts'
import { WithOutlet } from '../../office/with-outlet.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { type VariantChoice, VariantField } from './variant-field.tsx'

type LevelForm = VariantChoice & {
  outletId: string
  direction: 'add' | 'take'
  quantity: number | null
  reason: string | null
  reorderPoint: number | null
}

/** One answer has every level of the workspace; the address names one of them. */
const readLevel = async (id: string): Promise<StockLevel | null> =>
  (await call(inventoryListLevels)).levels.find((level) => level.id === id) ?? null

const UNCHANGED = { direction: 'add', quantity: null, reason: null } as const
const NEW = { ...UNCHANGED, variantId: '', variantName: '', soldBy: 'UNIT', reorderPoint: null } as const

const toForm = ({ productName, variantName, ...level }: StockLevel): LevelForm => ({
  ...UNCHANGED,
  variantId: level.variantId,
  variantName: nameOf(productName, variantName),
  soldBy: level.soldBy,
  outletId: level.outletId,
  reorderPoint: level.reorderPoint,
})

export function LevelEditor({ id }: { id: string }) {
  const record = useRecord(['level', id], () => readLevel(id), id !== 'new')
  if (id === 'new')
    return <WithOutlet>{({ id: outletId }) => <LevelFormPage level={null} outletId={outletId} />}</WithOutlet>
  if (!record.data) return <RecordState query={record} />
  return <LevelFormPage level={record.data} outletId={record.data.outletId} />
}

const saveOf =
  (level: StockLevel | null): FormRequest<LevelForm>['save'] =>
  async (values, changes, options, progress) => {
    const { outletId, variantId, direction, quantity, reason, reorderPoint } = values
    // A second try after the stock was adjusted continues with the reorder point.
    if (quantity !== null && progress.done['adjusted'] === undefined) {
      const qtyDelta = direction === 'add' ? quantity : -quantity
      await call(inventoryAdjust, { outletId, variantId, qtyDelta, reason }, options)
      progress.complete('adjusted', String(qtyDelta))
    }
    if (reorderPoint !== null && (changes.reorderPoint !== undefined || level === null))
      await call(inventorySetReorderPoint, { outletId, variantId, reorderPoint })
  }

function LevelFormPage({ level, outletId }: { level: StockLevel | null; outletId: string }) {
  const t = useOfficeTexts()
  const may = useMay()
  const queries = useQueryClient()
  const outletName = useOutletName()
  const [, setAddress] = useOfficeSearch()
  const form = useForm<LevelForm>({
    name: `level:${level?.id ?? 'new'}`,
    initial: level === null ? { ...NEW, outletId } : toForm(level),
    save: saveOf(level),
    readAgain: level === null ? undefined : async () => toForm((await readLevel(level.id)) ?? level),
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: ['levels'] })
      void queries.invalidateQueries({ queryKey: ['movements'] })
      void setAddress({ id: null })
    },
  })
  return (
    <FormPage
      title={level === null ? t('stock.adjust') : form.values.variantName}
      form={form}
      isReadOnly={!may('inventory.adjust')}
      fields={useFields(form, level)}
      before={
        level === null ? (
          <VariantField form={form} isLocked={form.progress.done['adjusted'] !== undefined} />
        ) : (
          <p className="text-lg">
            {t('stock.now', {
              n: amountOfGoods(level.soldBy, level.quantity),
              outlet: outletName(level.outletId),
            })}
          </p>
        )
      }
    />
  )
}

function useFields(
  { values, progress }: FormState<LevelForm>,
  level: StockLevel | null,
): readonly FieldSpec<LevelForm>[] {
  const t = useOfficeTexts()
  const outlets = useOutletOptions()
  const inGrams = values.soldBy === 'WEIGHT' ? t('goods.inGrams') : null
  // Once the stock is adjusted, only the reorder point is left to save.
  const isAdjustable = () => progress.done['adjusted'] === undefined
  return [
    {
      kind: 'choice',
      name: 'outletId',
      label: t('outlet'),
      isRequired: true,
      isWide: true,
      options: outlets,
      isShown: () => level === null && outlets.length > 1 && isAdjustable(),
    },
    {
      kind: 'choice',
      name: 'direction',
      label: t('stock.direction'),
      isRequired: true,
      options: [
        { value: 'add', text: t('stock.add') },
        { value: 'take', text: t('stock.take') },
      ],
      isShown: isAdjustable,
    },
    {
      kind: 'whole',
      name: 'quantity',
      label: t('stock.by'),
      ...(inGrams !== null && { hint: inGrams }),
      min: 1,
      max: 1_000_000,
      isShown: isAdjustable,
    },
    {
      kind: 'text',
      name: 'reason',
      label: t('reason'),
      hint: t('stock.reasonHint'),
      maxLength: 300,
      isWide: true,
      isShown: isAdjustable,
    },
    {
      kind: 'whole',
      name: 'reorderPoint',
      label: t('stock.reorderPoint'),
      hint: [t('stock.reorderHint'), inGrams].filter((text) => text !== null).join(' '),
      // The service has no way to remove a reorder point: an empty field would change nothing.
      isRequired: level !== null && level.reorderPoint !== null,
      min: 0,
    },
  ]
}
