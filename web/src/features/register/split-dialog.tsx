import { type Sale, type SaleItem, salesSplit } from 'kasir-client'
import { useState } from 'react'
import { withApproval } from '../../app/approval.ts'
import { queries } from '../../app/queries.ts'
import { useRequestKey } from '../../app/request-key.ts'
import { call } from '../../app/service.ts'
import { useCart } from '../../selling/cart-store.ts'
import type { CartTotals } from '../../selling/cart-totals.ts'
import { isWeighedLine, quantityText } from '../../selling/quantity.ts'
import { takeBill } from '../../selling/take-bill.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Stepper } from '../../ui/stepper.tsx'
import { useSavedBill } from './saved-bill.ts'

/** A weighed item is moved as a whole (B-weight-6). */
const stepOf = (item: SaleItem) => (isWeighedLine(item) ? item.quantity : 1)

type SplitDialogProps = { totals: CartTotals; onClose(): void }

/** Moves goods of an open bill to a new bill, which is then in the cart and can be paid; the rest stays open. */
export function SplitDialog({ totals, onClose }: SplitDialogProps) {
  const t = useTexts()
  const saved = useSavedBill(totals)
  const [quantities, setQuantities] = useState<Readonly<Record<string, number>>>({})
  const [note, setNote] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const send = useRequestKey()
  const bill = saved.data
  const items = bill?.items.filter(({ isActive }) => isActive) ?? []
  const moved = items.flatMap(({ id }) => {
    const quantity = quantities[id] ?? 0
    return quantity > 0 ? [{ id, quantity }] : []
  })
  const isWhole = items.every(({ id, quantity }) => quantities[id] === quantity)
  const split = async ({ id }: Sale) => {
    const { lines } = useCart.getState()
    setBusy(true)
    setError(null)
    try {
      const body = { id, items: moved, note: note.trim() === '' ? null : note.trim() }
      const { sale } = await send((idempotencyKey) =>
        withApproval(id, (approval) => call(salesSplit, body, { idempotencyKey, approval })),
      )
      // Meanwhile the dialog may be closed, and the next sale may have begun.
      if (useCart.getState().lines === lines) takeBill(sale)
      void queries.invalidateQueries({ queryKey: ['bills'] })
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  const choose = (id: string, quantity: number) => {
    setQuantities((now) => ({ ...now, [id]: quantity }))
  }
  return (
    <Dialog
      title={t('split.title', { number: bill?.number ?? '' })}
      onClose={onClose}
      actions={
        <Button
          look="primary"
          size="large"
          className="flex-1"
          disabled={bill === undefined || moved.length === 0 || isWhole || isBusy}
          onClick={() => bill && void split(bill)}
        >
          {t('split.now')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <p className="text-muted">{t('split.text')}</p>
        {!saved.isSuccess && !saved.isError && <p role="status">{t('loading')}</p>}
        <Failure error={saved.error}>
          <Button className="mt-2" onClick={() => saved.mutate()}>
            {t('retry')}
          </Button>
        </Failure>
        <ul aria-label={t('split.goods')} className="grid gap-3">
          {items.map((item) => (
            <li key={item.id} className="flex items-center gap-3">
              <span className="min-w-0 flex-1">
                <span className="block leading-snug font-medium break-words">
                  {[item.productName, item.pack?.name].filter(Boolean).join(' · ')}
                </span>
                <span className="text-sm text-muted">{t('split.of', { n: quantityText(item) })}</span>
              </span>
              <Stepper
                value={(quantities[item.id] ?? 0) / stepOf(item)}
                min={0}
                max={item.quantity / stepOf(item)}
                less={t('line.less')}
                more={t('line.more')}
                onValue={(steps) => choose(item.id, steps * stepOf(item))}
              />
            </li>
          ))}
        </ul>
        {moved.length > 0 && isWhole && <p className="text-warn">{t('split.whole')}</p>}
        <Field
          label={t('hold.name')}
          hint={t('hold.hint')}
          value={note}
          maxLength={200}
          autoComplete="off"
          onChange={({ target }) => setNote(target.value)}
        />
        <Failure error={error} />
      </div>
    </Dialog>
  )
}
