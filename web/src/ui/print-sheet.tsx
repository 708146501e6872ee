import { type ReactNode, useEffect } from 'react'
import { createPortal } from 'react-dom'

/** Prints its content alone, as soon as it is on the page. */
export function PrintSheet({ children, onPrinted }: { children: ReactNode; onPrinted(): void }) {
  useEffect(() => {
    document.body.dataset['print'] = 'sheet'
    const finish = () => {
      delete document.body.dataset['print']
      onPrinted()
    }
    window.addEventListener('afterprint', finish, { once: true })
    const timer = setTimeout(() => window.print(), 0)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('afterprint', finish)
      delete document.body.dataset['print']
    }
  }, [onPrinted])
  return createPortal(<div className="print-sheet">{children}</div>, document.body)
}
