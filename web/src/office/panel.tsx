import type { ReactNode } from 'react'
import { Failure } from '../ui/failure.tsx'

type PanelProps = { title: string; children: ReactNode; actions?: ReactNode; error?: unknown }

/** A titled part of a page; an error takes the place of its content. */
export function Panel({ title, children, actions, error }: PanelProps) {
  return (
    <section aria-label={title} className="min-w-0 rounded-xl border bg-panel">
      <header className="flex min-h-12 flex-wrap items-center gap-2 border-b px-4 py-1">
        <h2 className="min-w-0 flex-1 font-semibold">{title}</h2>
        {actions}
      </header>
      {error ? (
        <div className="p-3">
          <Failure error={error} />
        </div>
      ) : (
        children
      )}
    </section>
  )
}
