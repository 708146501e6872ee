import { type ComponentProps, useId } from 'react'
import { classes } from './classes.ts'
import { FIELD } from './field.tsx'
import { formatAmount, readAmount } from './rupiah.ts'

type MoneyFieldProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  label: string
  /** Null while the field is empty. */
  value: number | null
  onValue(value: number | null): void
  isLarge?: boolean
}

/** A field for an amount: it takes digits only, groups them, and cleans pasted text. */
export function MoneyField({ label, value, onValue, isLarge = false, className, ...rest }: MoneyFieldProps) {
  const id = useId()
  return (
    <div className={classes('grid gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <span
          aria-hidden
          className="pointer-events-none absolute inset-y-0 left-4 flex items-center text-muted"
        >
          Rp
        </span>
        <input
          {...rest}
          id={id}
          inputMode="numeric"
          autoComplete="off"
          className={classes(FIELD, 'pl-12 amount', isLarge && 'min-h-16 text-2xl! font-semibold')}
          value={value === null ? '' : formatAmount(value)}
          onChange={({ target, nativeEvent }) => onValue(readAmount(target.value, nativeEvent))}
        />
      </div>
    </div>
  )
}
