import { useState } from 'react'
import type { Discount } from '../../selling/cart.ts'
import { useCart } from '../../selling/cart-store.ts'
import { type CartTotals, discountOf } from '../../selling/cart-totals.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { MoneyField } from '../../ui/money-field.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { VoucherField } from './voucher-field.tsx'

const BPS = 100

/** The discount of the whole order: an amount, percents of the subtotal, or a voucher code. */
export function DiscountDialog({ totals, onClose }: { totals: CartTotals; onClose(): void }) {
  const t = useTexts()
  const { orderDiscount, change, attempt } = useCart()
  const [kind, setKind] = useState(orderDiscount?.kind ?? 'amount')
  const [amount, setAmount] = useState(orderDiscount?.kind === 'amount' ? orderDiscount.value : null)
  const [percent, setPercent] = useState(
    orderDiscount?.kind === 'percent' ? String(orderDiscount.bps / BPS) : '',
  )
  const discount = kind === 'amount' ? amountOf(amount) : percentOf(percent)
  const apply = () => {
    change((cart) => ({ ...cart, orderDiscount: discount }))
    onClose()
  }
  return (
    <Dialog
      title={t('discount')}
      onClose={onClose}
      actions={
        <Button look="primary" size="large" className="flex-1" disabled={attempt !== null} onClick={apply}>
          {t('discount.apply')}{' '}
          <span className="tabular-nums">{formatRupiah(-discountOf(discount, totals.subtotal))}</span>
        </Button>
      }
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <div role="group" aria-label={t('discount.kind')} className="grid grid-cols-2 gap-2">
          {(['amount', 'percent'] as const).map((each) => (
            <Button
              key={each}
              look={each === kind ? 'primary' : 'plain'}
              aria-pressed={each === kind}
              onClick={() => setKind(each)}
            >
              {t(`discount.${each}`)}
            </Button>
          ))}
        </div>
        {kind === 'amount' ? (
          <MoneyField label={t('amount')} value={amount} onValue={setAmount} isLarge />
        ) : (
          <Field
            label={t('amount')}
            value={percent}
            inputMode="decimal"
            onChange={({ target }) => setPercent(target.value)}
          />
        )}
      </form>
      <VoucherField totals={totals} onClose={onClose} />
    </Dialog>
  )
}

const amountOf = (amount: number | null): Discount | null =>
  amount ? { kind: 'amount', value: amount } : null

/** "12,5" and "12.5" are twelve and a half percent. */
function percentOf(text: string): Discount | null {
  const percent = Number(text.replace(',', '.').replace('%', '').trim())
  const bps = Math.round(percent * BPS)
  return bps > 0 && bps <= 100 * BPS ? { kind: 'percent', bps } : null
}
