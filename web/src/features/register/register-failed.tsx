import { useCart } from '../../selling/cart-store.ts'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** The register could not be drawn, for example because of a cart that an older version stored: the cashier sells on without it. */
export function RegisterFailed({ reset }: { reset(): void }) {
  const t = useTexts()
  const c = useCounterTexts()
  const { attempt, code, clear } = useCart()
  return (
    <div className="mx-auto grid max-w-lg gap-3 p-4">
      <Notice text={c('failed')} />
      <Button look="primary" onClick={reset}>
        {t('retry')}
      </Button>
      {attempt === null && code === null && (
        <Button
          look="danger"
          onClick={() => {
            clear()
            reset()
          }}
        >
          {t('cart.clear')}
        </Button>
      )}
    </div>
  )
}
