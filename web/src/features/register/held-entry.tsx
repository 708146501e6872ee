import type { HeldBill } from '../../offline/held-bill.ts'
import { countGoods } from '../../selling/cart.ts'
import { useCounterTexts } from '../../texts/counter/texts.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatTime } from '../../ui/time.ts'

/** A bill that only this device knows. */
export function HeldEntry({
  bill,
  isDisabled,
  onOpen,
}: {
  bill: HeldBill
  isDisabled: boolean
  onOpen(): void
}) {
  const t = useTexts()
  const counter = useCounterTexts()
  const name = bill.cart.note === '' ? t('bills.here') : bill.cart.note
  return (
    <li className="flex gap-2">
      <Button
        content="spread"
        className="min-h-16 min-w-0 flex-1 text-left"
        disabled={isDisabled}
        onClick={onOpen}
      >
        <span className="grid min-w-0">
          <span className="truncate font-semibold">{name}</span>
          <span className="text-sm text-muted">
            {bill.unanswered ? counter('unanswered.entry') : t('bills.onDevice')} · {formatTime(bill.heldAt)}{' '}
            · {t('bills.goods', { n: countGoods(bill.cart) })}
          </span>
        </span>
        <span className="amount font-semibold">{formatRupiah(bill.total)}</span>
      </Button>
    </li>
  )
}
