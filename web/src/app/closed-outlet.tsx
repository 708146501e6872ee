import { useShop } from '../offline/shop.ts'
import { useCart } from '../selling/cart-store.ts'
import { useCounterTexts } from '../texts/counter/texts.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useDevice } from './device.ts'

/** Says that the outlet of this device is inactive, and offers the others. The cart moves to the chosen one. */
export function ClosedOutlet() {
  const t = useTexts()
  const counter = useCounterTexts()
  const { accountId, outlets } = useShop()
  const setOutlet = useDevice((device) => device.setOutlet)
  // A bill, a payment and a sent sale belong to their outlet.
  const isBound = useCart(
    ({ bill, attempt, tenders }) => bill !== null || attempt !== null || tenders.length > 0,
  )
  const sellFor = (outletId: string) => {
    if (accountId === null) return
    useCart.getState().change((cart) => ({ ...cart, table: null }))
    setOutlet(accountId, outletId)
  }
  return (
    <div className="grid gap-2 p-2 sm:p-3">
      <Notice text={t('outlet.closed')} />
      {isBound && outlets.length > 0 && <p className="text-sm text-muted">{t('outlet.emptyFirst')}</p>}
      <div className="flex max-h-40 flex-wrap gap-2 overflow-y-auto">
        {outlets.map(({ id, name }) => (
          <Button
            key={id}
            className="max-w-full"
            disabled={isBound || accountId === null}
            onClick={() => sellFor(id)}
          >
            <span className="truncate">{counter('outlet.sellFor', { name })}</span>
          </Button>
        ))}
      </div>
    </div>
  )
}
