import { Armchair, Merge, Split } from 'lucide-react'
import { useIsOnline } from '../../app/line.ts'
import { useHasPrinter } from '../../printing/has-printer.ts'
import { useCart } from '../../selling/cart-store.ts'
import type { CartTotals } from '../../selling/cart-totals.ts'
import { useRegister } from '../../selling/register-store.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'

const BillPrint = lazyPart(() => import('./bill-print.tsx').then((file) => file.BillPrint))

/** Where the cart comes from: an open bill, or a sale that the service refused. */
export function CartOrigin({ totals }: { totals: CartTotals }) {
  const t = useTexts()
  const hasPrinter = useHasPrinter()
  const cart = useCart()
  return (
    <>
      {cart.correction !== null && (
        <p className="bg-warn-soft px-4 py-2 text-sm font-medium break-words text-warn">
          {t('cart.correcting', { ref: cart.correction.ref })}
        </p>
      )}
      {cart.table !== null && (
        <p className="flex items-center gap-2 bg-brand-soft px-4 pt-2 text-sm font-semibold text-brand last:pb-2">
          <Armchair aria-hidden size={18} className="shrink-0" />
          <span className="min-w-0 break-words">{t('table.at', { label: cart.table.label })}</span>
        </p>
      )}
      {cart.bill !== null && (
        <div className="flex items-center gap-1 bg-brand-soft py-1 pr-2 pl-4 text-sm font-medium text-brand">
          <p className="min-w-0 flex-1 break-words">
            {t('bill.open', { number: cart.bill.number })} {cart.note && `· ${cart.note}`}
          </p>
          {hasPrinter && <BillPrint totals={totals} />}
          <BillButtons />
        </div>
      )}
    </>
  )
}

/** Bills are split and merged by the service, so both need a connection. */
function BillButtons() {
  const t = useTexts()
  const isOnline = useIsOnline()
  const isStuck = useCart((cart) => cart.attempt !== null || cart.tenders.length > 0)
  const isEmpty = useCart((cart) => cart.lines.length === 0)
  const show = useRegister((register) => register.show)
  if (!isOnline) return <p className="max-w-40 py-2 text-right text-muted">{t('bill.offline')}</p>
  return (
    <>
      <Button
        look="quiet"
        className="px-2 text-sm"
        disabled={isStuck || isEmpty}
        onClick={() => show({ dialog: { kind: 'split' } })}
      >
        <Split aria-hidden size={18} />
        {t('split')}
      </Button>
      <Button
        look="quiet"
        className="px-2 text-sm"
        disabled={isStuck || isEmpty}
        onClick={() => show({ dialog: { kind: 'merge' } })}
      >
        <Merge aria-hidden size={18} />
        {t('merge')}
      </Button>
    </>
  )
}
