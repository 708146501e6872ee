import type { FormState } from '../../office/form/use-form.ts'
import type { SoldBy } from '../../office/goods-amounts.ts'
import { VariantPicker } from '../../office/variant-picker.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'

export type VariantChoice = { variantId: string; variantName: string; soldBy: SoldBy }

type VariantFieldProps<V extends VariantChoice> = {
  form: FormState<V>
  /** A completed step of the save used the goods: they can no longer change. */
  isLocked?: boolean
}

/** Which goods a form is about: found by name or scanner, and shown once they are chosen. */
export function VariantField<V extends VariantChoice>({ form, isLocked = false }: VariantFieldProps<V>) {
  const t = useOfficeTexts()
  const { variantId, variantName } = form.values
  const error = form.errorAt('variantId')
  const choose = (choice: VariantChoice) => form.set(choice as Partial<V>)
  return (
    <div className="grid gap-1.5">
      {variantId === '' ? (
        <VariantPicker
          label={t('stock.goods')}
          onPick={({ variantId: id, name, soldBy }) => choose({ variantId: id, variantName: name, soldBy })}
        />
      ) : (
        <p className="flex min-h-14 items-center gap-3 rounded-xl border bg-panel py-1 pr-1 pl-4">
          <span className="min-w-0 flex-1 font-semibold break-words">{variantName}</span>
          {!isLocked && (
            <Button look="quiet" onClick={() => choose({ variantId: '', variantName: '', soldBy: 'UNIT' })}>
              {t('stock.other')}
            </Button>
          )}
        </p>
      )}
      {error !== null && (
        <p role="alert" className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
