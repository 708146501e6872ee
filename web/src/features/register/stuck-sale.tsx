import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useCart } from '../../selling/cart-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ExpiredSale } from './expired-sale.tsx'
import { isExpired } from './expiry.ts'
import { SAVED_BILL, WRITE_BILL } from './keep-bill.ts'

/** A sale whose answer did not come may have happened: only the same request may be sent again. */
export function StuckSale({ error, onRetry, isBusy }: { error: unknown; onRetry(): void; isBusy: boolean }) {
  const t = useTexts()
  const attempt = useCart((cart) => cart.attempt)
  const writing = useIsMutating({ mutationKey: WRITE_BILL }) + useIsFetching({ queryKey: SAVED_BILL })
  if (isBusy || writing > 0) return null
  return (
    <>
      <Failure error={error} />
      {attempt && isExpired(attempt) && <ExpiredSale attempt={attempt} />}
      {attempt && !isExpired(attempt) && (
        <div className="flex items-center gap-3 rounded-xl bg-warn-soft p-3 text-warn">
          <p className="flex-1 text-sm font-medium">{t('pay.unknown')}</p>
          <Button onClick={onRetry}>{t('retry')}</Button>
        </div>
      )}
    </>
  )
}
