import type { ReactNode } from 'react'
import { classes } from '../ui/classes.ts'

const LOOKS = {
  good: 'bg-brand-soft text-brand',
  muted: 'bg-line/60 text-muted',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
} as const

/** A word for the state of a record. */
export function StateMark({ look, children }: { look: keyof typeof LOOKS; children: ReactNode }) {
  return (
    <span className={classes('inline-block rounded-full px-2.5 py-0.5 text-xs font-semibold', LOOKS[look])}>
      {children}
    </span>
  )
}
