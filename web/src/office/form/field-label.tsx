import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'

type LabelProps = {
  spec: { label: string; hint?: string; isRequired?: boolean; isWide?: boolean }
  id: string
  error: string | null
  /** The label stands beside its control. */
  isInline?: boolean
  children: ReactNode
}

/** The label of a field, its hint, and the service's sentence about it. */
export function FieldLabel({ spec, id, error, isInline = false, children }: LabelProps) {
  return (
    <div className={classes('grid content-start gap-1.5', spec.isWide && 'sm:col-span-2')}>
      {isInline ? (
        <div className="flex min-h-12 items-center gap-3">
          {children}
          <label htmlFor={id} className="font-medium">
            {spec.label}
          </label>
        </div>
      ) : (
        <>
          <label htmlFor={id} className="text-sm font-medium">
            {spec.label}
          </label>
          {children}
        </>
      )}
      {spec.hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {spec.hint}
        </p>
      )}
      {error !== null && (
        <p id={`${id}-error`} role="alert" className="text-sm font-medium whitespace-pre-line text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
