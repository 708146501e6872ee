import { useIsMutating } from '@tanstack/react-query'
import { useCart } from '../../selling/cart-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { WRITE_VOUCHER } from './keep-bill.ts'

/** A sale whose answer did not come may have happened: only the same request may be sent again. */
export function StuckSale({ error, onRetry, isBusy }: { error: unknown; onRetry(): void; isBusy: boolean }) {
  const t = useTexts()
  const isStuck = useCart((cart) => cart.attempt !== null)
  const isWritingVoucher = useIsMutating({ mutationKey: WRITE_VOUCHER }) > 0
  if (isBusy || isWritingVoucher) return null
  return (
    <>
      <Failure error={error} />
      {isStuck && (
        <div className="flex items-center gap-3 rounded-xl bg-warn-soft p-3 text-warn">
          <p className="flex-1 text-sm font-medium">{t('pay.unknown')}</p>
          <Button onClick={onRetry}>{t('retry')}</Button>
        </div>
      )}
    </>
  )
}
