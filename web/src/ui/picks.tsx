import { classes } from './classes.ts'

type PicksProps<T extends string> = {
  label: string
  options: readonly { value: T; text: string }[]
  /** null while nothing is chosen. */
  value: T | null
  onValue(value: T): void
}

/** A few answers of which one is chosen, all in sight. */
export function Picks<T extends string>({ label, options, value, onValue }: PicksProps<T>) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="grid grid-cols-2 gap-2">
        {options.map((option) => (
          <label
            key={option.value}
            className={classes(
              'flex min-h-12 cursor-pointer items-center gap-2 rounded-xl border px-3 py-2 leading-snug has-focus-visible:outline-3 has-focus-visible:outline-brand',
              option.value === value
                ? 'border-brand bg-brand-soft font-medium'
                : 'border-control/60 bg-raised',
            )}
          >
            <input
              type="radio"
              name={label}
              className="size-5 shrink-0 accent-brand"
              checked={option.value === value}
              onChange={() => onValue(option.value)}
            />
            <span className="min-w-0 break-words">{option.text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
