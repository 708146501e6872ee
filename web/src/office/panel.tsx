import type { ReactNode } from 'react'

type PanelProps = { title: string; children: ReactNode; actions?: ReactNode }

/** A titled part of a page. */
export function Panel({ title, children, actions }: PanelProps) {
  return (
    <section aria-label={title} className="min-w-0 rounded-xl border bg-panel">
      <header className="flex min-h-12 flex-wrap items-center gap-2 border-b px-4 py-1">
        <h2 className="min-w-0 flex-1 font-semibold">{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  )
}
