import { useQuery } from '@tanstack/react-query'
import { type SaleRow, salesDiscard, salesGet } from 'kasir-client'
import { useState } from 'react'
import { withApproval } from '../../app/approval.ts'
import { queries } from '../../app/queries.ts'
import { call } from '../../app/service.ts'
import { newKey } from '../../offline/key.ts'
import { MoneyBack, tendersOfVoid } from '../../selling/money-back.tsx'
import { useSalesTexts } from '../../texts/sales/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'

/** Discards an open bill. It shows what was paid on it, because that goes back to the customer. */
export function DiscardDialog({ bill, onClose }: { bill: SaleRow; onClose(): void }) {
  const t = useSalesTexts()
  const [reason, setReason] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [idempotencyKey] = useState(newKey)
  // Another device may have taken a payment since the bills were read.
  const { data, error: unread } = useQuery({
    queryKey: ['bills', 'discarding', bill.id],
    queryFn: () => call(salesGet, { id: bill.id }).then(({ sale }) => sale),
    gcTime: 0,
  })
  const back = data === undefined ? [] : tendersOfVoid(data)
  const discard = async () => {
    setBusy(true)
    try {
      const body = { id: bill.id, reason: reason.trim() }
      await withApproval(bill.id, (approval) => call(salesDiscard, body, { idempotencyKey, approval }))
      void queries.invalidateQueries({ queryKey: ['bills'] })
      onClose()
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('bills.discardTitle', { name: bill.note ?? bill.number })}
      onClose={onClose}
      actions={
        <Button
          look="danger"
          size="large"
          className="flex-1"
          disabled={data === undefined || reason.trim() === '' || isBusy}
          onClick={() => void discard()}
        >
          {back.length > 0
            ? t('discard.paidBack')
            : t('bills.discardNow', { amount: formatRupiah(data?.remaining ?? bill.remaining) })}
        </Button>
      }
    >
      <div className="grid gap-3">
        {back.length > 0 && (
          <>
            <p className="text-muted">{t('discard.paid')}</p>
            <MoneyBack isVoid tenders={back} />
          </>
        )}
        <Field
          label={t('reason')}
          value={reason}
          maxLength={300}
          onChange={({ target }) => setReason(target.value)}
        />
        <Failure error={error ?? unread} />
      </div>
    </Dialog>
  )
}
