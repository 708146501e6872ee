import { type Sale, type SaleItem, salesRefund } from 'kasir-client'
import { useState } from 'react'
import { withApproval } from '../../app/approval.ts'
import { queries } from '../../app/queries.ts'
import { useRequestKey } from '../../app/request-key.ts'
import { call } from '../../app/service.ts'
import { isBackAtService, tendersOf } from '../../selling/money-back.tsx'
import { isWeighedLine, quantityText } from '../../selling/quantity.ts'
import { WeightField } from '../../selling/weight-field.tsx'
import { useSalesTexts } from '../../texts/sales/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { Stepper } from '../../ui/stepper.tsx'
import { RefundDone } from './refund-done.tsx'
import { type Quantities, refundableOf, refundValue } from './refund-value.ts'

/** Pays back items of a sale: how many of each, whether they go back on the shelf, and how much leaves the drawer. */
export function RefundDialog({ sale, onClose }: { sale: Sale; onClose(): void }) {
  const t = useSalesTexts()
  const [quantities, setQuantities] = useState<Quantities>({})
  const [restock, setRestock] = useState(true)
  const [reason, setReason] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  // Once the sale shows another refund, the next one is a new request.
  const send = useRequestKey(`refund ${sale.id} ${sale.refundedTotal}`)
  const items = sale.items.filter((item) => item.isActive && refundableOf(item) > 0)
  const lines = items.flatMap(({ id }) => {
    const qty = quantities[id] ?? 0
    return qty > 0 ? [{ transactionItemId: id, qty }] : []
  })
  const amount = Math.min(refundValue(items, quantities), sale.total - sale.refundedTotal)
  const [tenders, setTenders] = useState<ReturnType<typeof tendersOf> | null>(null)
  const refund = async () => {
    setBusy(true)
    setError(null)
    try {
      const body = { id: sale.id, lines, restock, reason: reason.trim() === '' ? null : reason.trim() }
      const answer = await send((idempotencyKey) =>
        withApproval(sale.id, (approval) => call(salesRefund, body, { idempotencyKey, approval })),
      )
      setTenders(tendersOf(answer.sale, answer.refundId))
      await queries.invalidateQueries()
    } catch (caught) {
      setError(caught)
      setBusy(false)
      // The refund may have been made although no answer came.
      void queries.invalidateQueries({ queryKey: ['sale', sale.id] })
    }
  }
  if (tenders !== null) return <RefundDone number={sale.number} tenders={tenders} onClose={onClose} />
  return (
    <Dialog
      title={t('refund.title', { number: sale.number })}
      onClose={onClose}
      actions={
        <Button
          look="danger"
          size="large"
          className="flex-1"
          disabled={lines.length === 0 || isBusy}
          onClick={() => void refund()}
        >
          {isBackAtService(sale) ? t('sale.refund') : t('refund.now', { amount: formatRupiah(amount) })}
        </Button>
      }
    >
      <div className="grid gap-4">
        <ul className="grid gap-3">
          {items.map((item) => (
            <li key={item.id} className="flex items-center gap-3">
              <span className="min-w-0 flex-1">
                <span className="block leading-snug font-medium break-words">
                  {[item.productName, item.pack?.name].filter(Boolean).join(' · ')}
                </span>
                <span className="text-sm text-muted">
                  {t('refund.left', { n: quantityText({ ...item, quantity: refundableOf(item) }) })}
                </span>
              </span>
              <RefundQuantity
                item={item}
                value={quantities[item.id] ?? 0}
                onValue={(value) => setQuantities((now) => ({ ...now, [item.id]: value }))}
              />
            </li>
          ))}
        </ul>
        <label className="flex min-h-12 items-center gap-3">
          <input
            type="checkbox"
            className="size-6 accent-brand"
            checked={restock}
            onChange={({ target }) => setRestock(target.checked)}
          />
          {t('refund.restock')}
        </label>
        <Field
          label={t('reason')}
          value={reason}
          maxLength={300}
          onChange={({ target }) => setReason(target.value)}
        />
        {isBackAtService(sale) && <p className="text-muted">{t('refund.mixed')}</p>}
        <Failure error={error} />
      </div>
    </Dialog>
  )
}

type RefundQuantityProps = { item: SaleItem; value: number; onValue(value: number): void }

/** How much of an item is refunded: units, or the weight of goods sold by weight. */
function RefundQuantity({ item, value, onValue }: RefundQuantityProps) {
  const t = useSalesTexts()
  const max = refundableOf(item)
  if (!isWeighedLine(item))
    return (
      <Stepper
        value={value}
        min={0}
        max={max}
        less={t('line.less')}
        more={t('line.more')}
        onValue={onValue}
      />
    )
  return (
    <div className="w-40">
      <WeightField
        label={t('refund.grams', { name: item.productName })}
        grams={value === 0 ? null : value}
        max={max}
        onGrams={(grams) => onValue(grams ?? 0)}
      />
    </div>
  )
}
