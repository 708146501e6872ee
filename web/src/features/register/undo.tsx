import { Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { cartOf, isUndoable } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'

const SHOWN_MS = 6_000

/** After a line was removed: six seconds to bring it back. */
export function Undo() {
  const t = useTexts()
  const [before, setBefore] = useState<ReturnType<typeof useCart.getState> | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    const stop = useCart.subscribe((now, previous) => {
      if (now.attempt !== null || previous.attempt !== null || !isUndoable(now, previous)) {
        if (now.lines !== previous.lines) setBefore(null)
        return
      }
      setBefore(previous)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setBefore(null), SHOWN_MS)
    })
    return () => {
      stop()
      clearTimeout(timer.current)
    }
  }, [])
  if (before === null) return null
  const bringBack = () => {
    const { lines, change } = useCart.getState()
    // An emptied cart lost them with its goods. They come back first, because they fix the prices of the goods.
    if (lines.length === 0) useCart.setState({ correction: before.correction, tenders: before.tenders })
    change(() => cartOf(before))
  }
  return (
    <div className="flex items-center justify-between gap-2 border-t bg-ground px-4 py-1 text-sm">
      <span>{t('undo.removed')}</span>
      <Button look="quiet" onClick={bringBack}>
        <Undo2 aria-hidden size={18} />
        {t('undo')}
      </Button>
    </div>
  )
}
