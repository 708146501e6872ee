import { useQuery } from '@tanstack/react-query'
import { salesMerge } from 'kasir-client'
import { NotebookTabs } from 'lucide-react'
import { useState } from 'react'
import { queries } from '../../app/queries.ts'
import { useRequestKey } from '../../app/request-key.ts'
import { call } from '../../app/service.ts'
import { useCart } from '../../selling/cart-store.ts'
import type { CartTotals } from '../../selling/cart-totals.ts'
import { readOpenBills } from '../../selling/open-bills.ts'
import { takeBill } from '../../selling/take-bill.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { useSavedBill } from './saved-bill.ts'

type MergeDialogProps = { totals: CartTotals; onClose(): void }

/** Moves every item of another open bill to the bill in the cart; the other bill is closed. */
export function MergeDialog({ totals, onClose }: MergeDialogProps) {
  const t = useTexts()
  const saved = useSavedBill(totals)
  const bill = saved.data
  const [otherId, setOther] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const send = useRequestKey()
  const bills = useQuery({
    queryKey: ['bills', bill?.outletId],
    queryFn: () => readOpenBills(bill?.outletId ?? ''),
    enabled: bill !== undefined,
  })
  const others = (bills.data ?? []).filter(({ id }) => id !== bill?.id)
  const merge = async (id: string, saleId: string) => {
    const { lines } = useCart.getState()
    setBusy(true)
    setError(null)
    try {
      const { sale } = await send((idempotencyKey) => call(salesMerge, { id, saleId }, { idempotencyKey }))
      // Meanwhile the dialog may be closed, and the next sale may have begun.
      if (useCart.getState().lines === lines) takeBill(sale)
      void queries.invalidateQueries({ queryKey: ['bills'] })
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('merge.title', { number: bill?.number ?? '' })}
      onClose={onClose}
      actions={
        <Button
          look="primary"
          size="large"
          className="flex-1"
          disabled={bill === undefined || otherId === null || isBusy}
          onClick={() => bill && otherId !== null && void merge(bill.id, otherId)}
        >
          {t('merge.now')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <p className="text-muted">{t('merge.text')}</p>
        {!saved.isSuccess && !saved.isError && <p role="status">{t('loading')}</p>}
        <Failure error={saved.error ?? bills.error}>
          <Button className="mt-2" onClick={() => (saved.error ? saved.mutate() : void bills.refetch())}>
            {t('retry')}
          </Button>
        </Failure>
        {bills.isSuccess && others.length === 0 && (
          <Empty icon={NotebookTabs} title={t('merge.empty')} text={t('bills.emptyHint')} />
        )}
        <div role="radiogroup" aria-label={t('bills.title')} className="grid gap-2">
          {others.map((other) => (
            <label
              key={other.id}
              className="flex min-h-16 cursor-pointer items-center gap-3 rounded-xl border border-control/60 bg-raised px-4 has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-3 has-focus-visible:outline-brand"
            >
              <input
                type="radio"
                name="merge-bill"
                className="size-5 shrink-0 accent-brand"
                checked={other.id === otherId}
                onChange={() => setOther(other.id)}
              />
              <span className="grid min-w-0 flex-1">
                <span className="truncate font-semibold">{other.note ?? other.number}</span>
                <span className="truncate text-sm text-muted">
                  {other.number} · {t('bills.goods', { n: other.itemCount })}
                </span>
              </span>
              <span className="amount font-semibold">{formatRupiah(other.remaining)}</span>
            </label>
          ))}
        </div>
        <Failure error={error} />
      </div>
    </Dialog>
  )
}
