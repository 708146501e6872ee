import { classes } from './classes.ts'

type TabsProps<T> = {
  label: string
  options: readonly { value: T; text: string }[]
  value: T
  onValue(value: T): void
}

/** A row of answers of which one is pressed. */
export function Tabs<T extends string | null>({ label, options, value, onValue }: TabsProps<T>) {
  return (
    <div role="group" aria-label={label} className="flex max-w-full flex-wrap gap-1">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          className={classes(
            'min-h-12 max-w-full truncate rounded-xl px-3 font-medium',
            option.value === value ? 'bg-brand-soft text-brand' : 'text-muted hover:bg-line/60',
          )}
          onClick={() => onValue(option.value)}
        >
          {option.text}
        </button>
      ))}
    </div>
  )
}
