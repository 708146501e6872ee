import { useQuery } from '@tanstack/react-query'
import { type SaleRow, salesGet } from 'kasir-client'
import { NotebookTabs, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '../../app/line.ts'
import { call } from '../../app/service.ts'
import { takeHeld, useHeldBills } from '../../offline/held.ts'
import type { HeldBill } from '../../offline/held-bill.ts'
import { useOutlet } from '../../offline/shop.ts'
import { useCart } from '../../selling/cart-store.ts'
import { readOpenBills } from '../../selling/open-bills.ts'
import { takeBill, takeCart } from '../../selling/take-bill.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatTime } from '../../ui/time.ts'
import { DiscardDialog } from './discard-dialog.tsx'
import { emptyCart } from './empty-cart.ts'
import { HeldEntry } from './held-entry.tsx'
import { resumeUnanswered } from './unanswered.ts'

/** The open bills of the outlet. A tap takes one into the cart. */
export function BillsDialog({ onClose }: { onClose(): void }) {
  const t = useTexts()
  const outlet = useOutlet()
  const isOnline = useIsOnline()
  const isEmpty = useCart((cart) => cart.lines.length === 0)
  const [error, setError] = useState<unknown>(null)
  const [discarding, setDiscarding] = useState<SaleRow | null>(null)
  const bills = useQuery({
    queryKey: ['bills', outlet?.id],
    queryFn: () => readOpenBills(outlet?.id ?? ''),
    enabled: outlet !== undefined && isOnline,
  })
  const held = useHeldBills(outlet?.id)
  const openHeld = (bill: HeldBill) =>
    bill.unanswered
      ? resumeUnanswered(bill).catch(setError)
      : takeHeld(bill.key).then((cart) => {
          if (cart === null) return
          emptyCart()
          // The tables of another outlet are not those of this one.
          takeCart(bill.outletId === outlet?.id ? cart : { ...cart, table: null })
        }, setError)
  const open = (id: string) => {
    setError(null)
    call(salesGet, { id }).then(({ sale }) => {
      // Meanwhile the next sale may have begun.
      if (useCart.getState().lines.length > 0) return
      emptyCart()
      takeBill(sale)
    }, setError)
  }
  // Bills of other devices may have changed since they were read.
  const rows = isOnline ? (bills.data ?? []) : []
  if (discarding !== null) return <DiscardDialog bill={discarding} onClose={() => setDiscarding(null)} />
  return (
    <Dialog title={t('bills.title')} onClose={onClose}>
      <div className="grid gap-2">
        {!isEmpty && rows.length + held.length > 0 && <Notice text={t('bills.cartFirst')} />}
        <Failure error={error ?? (isOnline ? bills.error : null)} />
        {!isOnline && <p className="rounded-xl bg-ground p-3 text-muted">{t('bills.offline')}</p>}
        {bills.isSuccess && isOnline && rows.length + held.length === 0 && (
          <Empty icon={NotebookTabs} title={t('bills.empty')} text={t('bills.emptyHint')} />
        )}
        <ul aria-label={t('bills.title')} className="grid gap-2">
          {held.map((bill) => (
            <HeldEntry key={bill.key} bill={bill} isDisabled={!isEmpty} onOpen={() => void openHeld(bill)} />
          ))}
          {rows.map((bill) => (
            <li key={bill.id} className="flex gap-2">
              <Button
                content="spread"
                className="min-h-16 min-w-0 flex-1 text-left"
                disabled={!isEmpty}
                onClick={() => open(bill.id)}
              >
                <span className="grid min-w-0">
                  <span className="truncate font-semibold">{bill.note ?? bill.number}</span>
                  <span className="text-sm text-muted">
                    {bill.number} · {formatTime(bill.createdAt)} · {t('bills.goods', { n: bill.itemCount })}
                  </span>
                </span>
                <span className="amount font-semibold">{formatRupiah(bill.remaining)}</span>
              </Button>
              <Button
                size="icon"
                className="size-16"
                aria-label={t('bills.discard', { name: bill.note ?? bill.number })}
                onClick={() => setDiscarding(bill)}
              >
                <Trash2 aria-hidden size={20} />
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
