import { X } from 'lucide-react'
import { useCart } from '../../selling/cart-store.ts'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** A change was refused: with it the cart would cost more than one sale may. It lies over the cart on a phone too. */
export function CartFull() {
  const t = useTexts()
  const c = useCounterTexts()
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
