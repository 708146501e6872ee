import { useQuery } from '@tanstack/react-query'
import { type SaleRow, salesDiscard, salesGet, salesList } from 'kasir-client'
import { NotebookTabs, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { queries } from '../../app/queries.ts'
import { call } from '../../app/service.ts'
import { newKey } from '../../offline/key.ts'
import { useOutlet } from '../../offline/shop.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatTime } from '../../ui/time.ts'
import { useCart } from './cart-store.ts'
import { takeBill } from './use-checkout.ts'

/** The open bills of the outlet. A tap takes one into the cart. */
export function BillsDialog({ onClose }: { onClose(): void }) {
  const t = useTexts()
  const outlet = useOutlet()
  const isEmpty = useCart((cart) => cart.lines.length === 0)
  const [error, setError] = useState<unknown>(null)
  const [discarding, setDiscarding] = useState<SaleRow | null>(null)
  const bills = useQuery({
    queryKey: ['bills', outlet?.id],
    queryFn: () => call(salesList, { status: 'PARKED', outletId: outlet?.id ?? '', limit: 100 }),
    enabled: outlet !== undefined,
  })
  const open = (id: string) => {
    setError(null)
    call(salesGet, { id }).then(({ sale }) => takeBill(sale), setError)
  }
  const rows = bills.data ?? []
  if (discarding !== null) return <DiscardDialog bill={discarding} onClose={() => setDiscarding(null)} />
  return (
    <Dialog title={t('bills.title')} onClose={onClose}>
      <div className="grid gap-2">
        {!isEmpty && rows.length > 0 && <Notice text={t('bills.cartFirst')} />}
        <Failure error={error ?? bills.error} />
        {bills.isSuccess && rows.length === 0 && (
          <Empty icon={NotebookTabs} title={t('bills.empty')} text={t('bills.emptyHint')} />
        )}
        <ul aria-label={t('bills.title')} className="grid gap-2">
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
                  <span className="truncate text-sm text-muted">
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

function DiscardDialog({ bill, onClose }: { bill: SaleRow; onClose(): void }) {
  const t = useTexts()
  const [reason, setReason] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [idempotencyKey] = useState(newKey)
  const discard = () =>
    call(salesDiscard, { id: bill.id, reason: reason.trim() }, { idempotencyKey }).then(() => {
      void queries.invalidateQueries({ queryKey: ['bills'] })
      onClose()
    }, setError)
  return (
    <Dialog
      title={t('bills.discardTitle', { name: bill.note ?? bill.number })}
      onClose={onClose}
      actions={
        <Button
          look="danger"
          size="large"
          className="flex-1"
          disabled={reason.trim() === ''}
          onClick={() => void discard()}
        >
          {t('bills.discardNow', { amount: formatRupiah(bill.remaining) })}
        </Button>
      }
    >
      <div className="grid gap-3">
        <Field
          label={t('reason')}
          value={reason}
          maxLength={300}
          onChange={({ target }) => setReason(target.value)}
        />
        <Failure error={error} />
      </div>
    </Dialog>
  )
}
