import { useIsMutating } from '@tanstack/react-query'
import { serverNow } from '../../offline/clock.ts'
import { type SaleAttempt, useCart } from '../../selling/cart-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ExpiredSale } from './expired-sale.tsx'
import { WRITE_VOUCHER } from './keep-bill.ts'

/** The service knows an Idempotency-Key for 24 hours (B-key-3). */
const KEPT_MS = 23 * 3_600_000

/** Whether a retry could make a second sale. A bill that was changed or paid is safe: the service refuses it the second time. */
const isExpired = ({ steps: [step], begunAt = '' }: SaleAttempt) =>
  step?.kind === 'create' && !(Date.parse(serverNow()) - Date.parse(begunAt) < KEPT_MS)

/** A sale whose answer did not come may have happened: only the same request may be sent again. */
export function StuckSale({ error, onRetry, isBusy }: { error: unknown; onRetry(): void; isBusy: boolean }) {
  const t = useTexts()
  const attempt = useCart((cart) => cart.attempt)
  const isWritingVoucher = useIsMutating({ mutationKey: WRITE_VOUCHER }) > 0
  if (isBusy || isWritingVoucher) return null
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
