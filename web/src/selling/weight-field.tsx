import { useTexts } from '../texts/texts.ts'
import { Field } from '../ui/field.tsx'
import { MAX_QUANTITY } from './cart.ts'

type WeightFieldProps = {
  grams: number | null
  onGrams(grams: number | null): void
  /** The most grams that it takes. */
  max?: number
  label?: string
}

/** The weight that a cashier reads from the scale, in grams; null while there is none. */
export function WeightField({ grams, onGrams, max = MAX_QUANTITY, label }: WeightFieldProps) {
  const t = useTexts()
  return (
    <Field
      label={label ?? t('goods.weight')}
      inputMode="numeric"
      autoComplete="off"
      value={grams ?? ''}
      onChange={({ target }) => {
        const typed = Number(target.value.replaceAll(/\D/g, ''))
        onGrams(typed === 0 ? null : Math.min(typed, max))
      }}
    />
  )
}
