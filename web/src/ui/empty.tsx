import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** What a page shows instead of an empty list: what it is for, and what to do. */
export function Empty({
  icon: Icon,
  title,
  text,
  children,
}: {
  icon: LucideIcon
  title: string
  text: string
  children?: ReactNode
}) {
  return (
    <div className="flex h-full min-h-48 flex-col items-center justify-center gap-2 p-6 text-center">
      <Icon aria-hidden size={36} strokeWidth={1.5} className="text-muted" />
      <p className="text-lg font-semibold">{title}</p>
      <p className="max-w-sm text-muted">{text}</p>
      {children}
    </div>
  )
}
