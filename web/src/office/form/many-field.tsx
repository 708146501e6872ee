import { classes } from '../../ui/classes.ts'
import type { Option } from './field-spec.ts'

type ManyFieldProps = {
  spec: {
    name: string
    label: string
    hint?: string
    isWide?: boolean
    isLocked?: boolean
    options: readonly Option[]
  }
  error: string | null
  chosen: readonly string[] | undefined
  set(value: readonly string[]): void
}

/** Several answers of which any number are ticked. */
export function ManyField({ spec, error, chosen = [], set }: ManyFieldProps) {
  const toggle = (value: string) =>
    set(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value])
  return (
    <fieldset className={classes('grid min-w-0 content-start gap-1.5', spec.isWide && 'sm:col-span-2')}>
      <legend className="mb-1.5 text-sm font-medium">{spec.label}</legend>
      <div className="flex flex-wrap gap-2">
        {spec.options.map(({ value, text }) => (
          <label
            key={value}
            className={classes(
              'flex min-h-11 max-w-full cursor-pointer items-center gap-2 rounded-xl border px-3 text-sm has-focus-visible:outline-3 has-focus-visible:outline-brand',
              chosen.includes(value)
                ? 'border-brand bg-brand-soft font-medium'
                : 'border-control/60 bg-raised',
            )}
          >
            <input
              type="checkbox"
              data-param={spec.name}
              disabled={spec.isLocked}
              className="size-5 shrink-0 accent-brand"
              checked={chosen.includes(value)}
              onChange={() => toggle(value)}
            />
            <span className="min-w-0 wrap-anywhere">{text}</span>
          </label>
        ))}
      </div>
      {spec.hint && <p className="text-sm text-muted">{spec.hint}</p>}
      {error !== null && (
        <p role="alert" className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
