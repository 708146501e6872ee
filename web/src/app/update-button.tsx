import { Download } from 'lucide-react'
import { countUnsent, useOutbox } from '../offline/outbox.ts'
import { useCart } from '../selling/cart-store.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { applyUpdate, useUpdate } from './updates.ts'

/** A new version replaces the running one by a tap, and only while nothing is in the cart. */
export function UpdateButton() {
  const t = useTexts()
  const isWaiting = useUpdate(({ waiting }) => waiting !== null)
  const isEmpty = useCart((cart) => cart.lines.length === 0)
  const isSent = useOutbox((outbox) => countUnsent(outbox.rows) === 0)
  if (!isWaiting) return null
  return (
    <Button look="quiet" disabled={!isEmpty || !isSent} onClick={applyUpdate} className="text-brand">
      <Download aria-hidden size={20} />
      <span className="hidden sm:inline">{t('update.ready')}</span>
    </Button>
  )
}
