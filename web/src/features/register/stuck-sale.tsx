import { useIsMutating } from '@tanstack/react-query'
import { useState } from 'react'
import { AlreadySold } from '../../offline/outbox-row.ts'
import { useCart } from '../../selling/cart-store.ts'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ExpiredSale } from './expired-sale.tsx'
import { isExpired } from './expiry.ts'
import { WRITE_BILL } from './keep-bill.ts'
import type { PanelProps } from './panel-props.ts'
import { keepUnanswered } from './unanswered.ts'

/** A sale whose answer did not come may have happened: only the same request may be sent again, now or later. */
export function StuckSale({ totals, checkout, outlet }: PanelProps) {
  const t = useTexts()
  const counter = useCounterTexts()
  const attempt = useCart((cart) => cart.attempt)
  const isEmpty = useCart((cart) => cart.lines.length === 0)
  const [keepError, setKeepError] = useState<unknown>(null)
  const writing = useIsMutating({ mutationKey: WRITE_BILL })
  if (checkout.isBusy || writing > 0) return null
  const keep = (outletId: string) =>
    keepUnanswered(outletId, totals.total).then(() => checkout.setError(null), setKeepError)
  const isSold = checkout.error instanceof AlreadySold
  // The next goods are another sale.
  if (isSold && !isEmpty) return null
  return (
    <>
      <Failure error={keepError ?? checkout.error} sentence={isSold ? counter('cart.sold') : null} />
      {attempt && isExpired(attempt) && <ExpiredSale attempt={attempt} />}
      {attempt && !isExpired(attempt) && (
        <div className="flex items-center gap-3 rounded-xl bg-warn-soft p-3 text-warn">
          <p className="flex-1 text-sm font-medium">{t('pay.unknown')}</p>
          <Button onClick={checkout.retry}>{t('retry')}</Button>
        </div>
      )}
      {attempt && outlet && (
        <Button className="px-2" onClick={() => void keep(outlet.id)}>
          {counter('unanswered.keep')}
        </Button>
      )}
    </>
  )
}
