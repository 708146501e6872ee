import { Link } from '@tanstack/react-router'
import { useCart } from '../../selling/cart-store.ts'
import type { SaleAttempt } from '../../selling/sale-attempt.ts'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatMoment } from '../../ui/time.ts'

/** A sale whose answer never came, and whose repeat the service would no longer recognise: the cashier looks it up. */
export function ExpiredSale({ attempt }: { attempt: SaleAttempt }) {
  const t = useCounterTexts()
  const { clear, setAttempt } = useCart.getState()
  const when = attempt.begunAt === undefined ? '' : formatMoment(attempt.begunAt)
  return (
    <div className="grid gap-3 rounded-xl bg-warn-soft p-3 text-warn">
      <p className="text-sm font-medium">{t('expired.text', { when })}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Link to="/penjualan" className="mr-auto min-h-11 content-center font-semibold underline">
          {t('expired.look')}
        </Link>
        <Button onClick={clear}>{t('expired.found')}</Button>
        <Button onClick={() => setAttempt(null)}>{t('expired.missing')}</Button>
      </div>
    </div>
  )
}
