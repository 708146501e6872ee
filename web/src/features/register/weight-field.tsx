import { MAX_QUANTITY } from '../../selling/cart.ts'
import { useTexts } from '../../texts/texts.ts'
import { Field } from '../../ui/field.tsx'

type WeightFieldProps = { grams: number | null; onGrams(grams: number | null): void }

/** The weight that a cashier reads from the scale, in grams; null while there is none. */
export function WeightField({ grams, onGrams }: WeightFieldProps) {
  const t = useTexts()
  return (
    <Field
      label={t('goods.weight')}
      inputMode="numeric"
      autoComplete="off"
      value={grams ?? ''}
      onChange={({ target }) => {
        const typed = Number(target.value.replaceAll(/\D/g, ''))
        onGrams(typed === 0 ? null : Math.min(typed, MAX_QUANTITY))
      }}
    />
  )
}
