import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.ts'

type DialogProps = {
  title: string
  onClose(): void
  children: ReactNode
  /** Stays visible at the bottom while the content scrolls. */
  actions?: ReactNode
}

/** A window over the page on a desktop, a sheet from the bottom on a phone. Escape and the cross close it. */
export function Dialog({ title, onClose, children, actions }: DialogProps) {
  const t = useTexts()
  return (
    <Base.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-shade" />
        <Base.Popup className="fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col rounded-t-2xl bg-panel shadow-2xl outline-none sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[min(32rem,calc(100vw-2rem))] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl">
          <header className="flex items-center gap-2 border-b py-2 pr-2 pl-5">
            <Base.Title className="min-w-0 flex-1 text-lg font-semibold break-words">{title}</Base.Title>
            <Base.Close
              aria-label={t('close')}
              className="inline-flex size-12 items-center justify-center rounded-xl hover:bg-line/60"
            >
              <X aria-hidden size={22} />
            </Base.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {actions && <footer className="flex gap-3 border-t p-4">{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
