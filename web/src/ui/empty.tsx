import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** Shown instead of an empty list: its purpose, and the next step. */
export function Empty({
  icon: Icon,
  title,
  text,
  as: Title = 'p',
  children,
}: {
  icon: LucideIcon
  title: string
  text: string
  /** `h1` if the page has no other heading. */
  as?: 'p' | 'h1'
  children?: ReactNode
}) {
  return (
    <div className="flex h-full min-h-48 flex-col items-center justify-center gap-2 p-6 text-center">
      <Icon aria-hidden size={36} strokeWidth={1.5} className="text-muted" />
      <Title className="text-lg font-semibold">{title}</Title>
      <p className="max-w-sm text-muted">{text}</p>
      {children}
    </div>
  )
}
