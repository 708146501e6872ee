import { useCart } from '../../selling/cart-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'

/** A sale whose answer did not come may have happened: only the same request may be sent again. */
export function StuckSale({ error, onRetry, isBusy }: { error: unknown; onRetry(): void; isBusy: boolean }) {
  const t = useTexts()
  const isStuck = useCart((cart) => cart.attempt !== null)
  if (isBusy) return null
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
