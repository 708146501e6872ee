import { useId } from 'react'
import { FIELD } from './field.tsx'

type SelectProps = {
  label: string
  hint?: string
  /** Empty while nothing is chosen. */
  value: string
  onValue(value: string): void
  options: readonly { value: string; text: string }[]
}

/** One choice out of a list, with its label above. */
export function Select({ label, hint, value, onValue, options }: SelectProps) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <select
        id={id}
        className={FIELD}
        value={value}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ target }) => onValue(target.value)}
      >
        {value === '' && <option value="">–</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
