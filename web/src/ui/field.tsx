import { type ComponentProps, useId } from 'react'
import { classes } from './classes.ts'

export const FIELD =
  'min-h-12 w-full rounded-xl border border-control bg-raised px-4 text-base text-text placeholder:text-muted disabled:opacity-70'

type FieldProps = ComponentProps<'input'> & { label: string; hint?: string | undefined }

/** A text field with its label above. */
export function Field({ label, hint, className, ...rest }: FieldProps) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        {...rest}
        id={id}
        className={classes(FIELD, className)}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
