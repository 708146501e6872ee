import { useMutation } from '@tanstack/react-query'
import { TicketPercent, X } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '../../app/line.ts'
import { useOutlet } from '../../offline/shop.ts'
import { useCart } from '../../selling/cart-store.ts'
import type { CartTotals } from '../../selling/cart-totals.ts'
import { isUnsettled, sendStep, voucherStep } from '../../selling/checkout.ts'
import type { SaleAttempt } from '../../selling/sale-attempt.ts'
import { useVoucherTexts } from '../../texts/voucher/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TAKES_CODE } from '../../ui/use-scanner.ts'
import { continueBill, WRITE_BILL } from './keep-bill.ts'
import { saveCustomer } from './save-customer.ts'
import { showConflict } from './use-checkout.ts'

const NONE: readonly string[] = []

/**
 * Writes the voucher codes of the cart. A request without an answer may have made a bill, so until its answer is there
 * the cart is sold in no other way (stuck-sale.tsx sends the request again).
 */
function useVoucherCodes(totals: CartTotals, onClose: () => void) {
  const outlet = useOutlet()
  return useMutation({
    mutationKey: WRITE_BILL,
    mutationFn: async (codes: readonly string[]) => {
      if (outlet === undefined) return
      await saveCustomer()
      const cart = useCart.getState()
      const step = voucherStep({ outletId: outlet.id, cart, totals }, [...codes])
      const attempt: SaleAttempt = { steps: [step], tenders: null, change: 0, isContinued: true }
      cart.setAttempt(attempt)
      const { sale, warnings = [] } = await sendStep(step).catch(async (error: unknown) => {
        if (!isUnsettled(error)) cart.setAttempt(null)
        await showConflict(error)
        throw error
      })
      continueBill(attempt, sale)
      return warnings.some(({ code }) => code === 'VOUCHER_NOT_APPLIED') ? 'nothing' : 'applied'
    },
    onSuccess: (outcome) => {
      if (outcome !== 'nothing') onClose()
    },
    onError: () => {
      if (useCart.getState().attempt !== null) onClose()
    },
  })
}

/**
 * Uses and removes voucher codes. Only the service knows the codes, so the cart becomes an open bill there and
 * returns with the discounts. A code that gives nothing yet stays on the bill.
 */
export function VoucherField({ totals, onClose }: { totals: CartTotals; onClose(): void }) {
  const t = useVoucherTexts()
  const isOnline = useIsOnline()
  const [typed, setTyped] = useState('')
  const isEmpty = useCart((cart) => cart.lines.length === 0)
  const codes = useCart((cart) => cart.bill?.voucherCodes ?? NONE)
  const write = useVoucherCodes(totals, onClose)
  // A request whose outcome is unknown, and the correction of a sale that left with its customer, keep their goods.
  const isBound = useCart((cart) => cart.attempt !== null || cart.correction !== null)
  const isOff = !isOnline || isEmpty || isBound || write.isPending
  const code = typed.trim()
  return (
    <form
      className="grid gap-2 border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (code !== '' && !isOff) write.mutate([...codes, code])
      }}
    >
      <div className="flex items-end gap-2">
        <div className="flex-1">
          <Field
            label={t('code')}
            {...TAKES_CODE}
            value={typed}
            maxLength={50}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            disabled={isOff}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        <Button type="submit" disabled={isOff || code === ''}>
          <TicketPercent aria-hidden size={20} />
          {t('use')}
        </Button>
      </div>
      {codes.length > 0 && (
        <ul aria-label={t('code')} className="flex flex-wrap gap-2">
          {codes.map((each) => (
            <li key={each}>
              <Button
                disabled={isOff}
                aria-label={t('remove', { code: each })}
                onClick={() => write.mutate(codes.filter((other) => other !== each))}
              >
                <span className="wrap-anywhere">{each}</span>
                <X aria-hidden size={16} />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {!isOnline && <p className="text-sm text-muted">{t('offline')}</p>}
      {write.data === 'nothing' && <Notice text={t('nothing')} />}
      <Failure error={write.error} />
    </form>
  )
}
