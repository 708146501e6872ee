import { countGoods } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import type { CartTotals } from '../../selling/cart-totals.ts'
import { useRegister } from '../../selling/register-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import type { Checkout } from './panel-props.ts'
import { payCash } from './pay-cash.ts'

/** The bar at the bottom of a portrait screen: the content of the cart, and the button that pays it. */
export function BottomBar({ totals, checkout }: { totals: CartTotals; checkout: Checkout }) {
  const t = useTexts()
  const cart = useCart()
  const { done, show } = useRegister()
  const count = countGoods(cart)
  const isBlocked = count === 0 || cart.attempt !== null || checkout.isBusy
  return (
    <div className="-mx-2 -mb-2 flex shrink-0 gap-2 border-t bg-panel p-2 sm:-mx-3 sm:-mb-3 sm:p-3 lg:hidden">
      <Button
        size="large"
        content="spread"
        className="min-w-0 flex-1 max-[359px]:px-3!"
        onClick={() => show({ isSheetOpen: true })}
      >
        <span className="grid min-w-0 text-left text-sm leading-tight">
          <span className="truncate">{t('cart')}</span>
          <span className="truncate text-muted">
            {t(done === null ? 'cart.count' : 'cart.done', { n: count })}
          </span>
        </span>
        <span className="amount shrink-0 text-lg font-bold">{formatRupiah(totals.due)}</span>
      </Button>
      <Button
        size="large"
        className="max-sm:hidden"
        disabled={isBlocked || cart.tenders.length > 0}
        onClick={() => payCash(checkout.pay, totals)}
      >
        {t('pay.exact')}
      </Button>
      <Button
        look="primary"
        size="large"
        disabled={isBlocked}
        onClick={() => show({ panel: 'pay', isSheetOpen: true })}
      >
        {t('pay')}
      </Button>
    </div>
  )
}
