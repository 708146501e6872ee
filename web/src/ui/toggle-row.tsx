import { classes } from './classes.ts'

type ToggleRowProps<T> = {
  label: string
  options: readonly { value: T; text: string }[]
  value: T
  onValue(value: T): void
}

/** A row of buttons of which one is pressed. */
export function ToggleRow<T extends string | null>({ label, options, value, onValue }: ToggleRowProps<T>) {
  return (
    <div
      role="group"
      aria-label={label}
      className="flex gap-1 overflow-x-auto border-b px-2 py-1.5 [scrollbar-width:none]"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onValue(option.value)}
          className={classes(
            'min-h-12 flex-1 rounded-lg px-1.5 text-sm font-medium whitespace-nowrap',
            option.value === value ? 'bg-brand-soft text-brand' : 'text-muted hover:bg-line/60',
          )}
        >
          {option.text}
        </button>
      ))}
    </div>
  )
}
