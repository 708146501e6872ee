import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** A sentence about an error on this device. */
export function Notice({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-xl border border-danger/40 bg-danger-soft p-3 text-danger"
    >
      <CircleAlert aria-hidden size={20} className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1 font-medium break-words">{text}</div>
      {children}
    </div>
  )
}
