import { X } from 'lucide-react'
import { useEffect } from 'react'
import { useCart } from '../../selling/cart-store.ts'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { beep } from '../../ui/beep.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** A change was refused: with it the cart would have more lines or cost more than one sale may. It lies over the cart on a phone too. */
export function CartFull() {
  const t = useTexts()
  const c = useCounterTexts()
  useEffect(beep, [])
  return (
    <div className="fixed inset-x-3 top-3 z-50 mx-auto max-w-lg">
      <Notice text={c('full')}>
        <Button
          look="quiet"
          size="icon"
          aria-label={t('close')}
          onClick={() => useCart.setState({ isFull: false })}
        >
          <X aria-hidden size={20} />
        </Button>
      </Notice>
    </div>
  )
}
