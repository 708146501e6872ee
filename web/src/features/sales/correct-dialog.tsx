import type { Sale } from 'kasir-client'
import { useState } from 'react'
import {
  correctTender,
  isCorrectable,
  MANUAL_METHODS,
  type ManualMethod,
} from '../../selling/correct-tender.ts'
import { useSalesTexts } from '../../texts/sales/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Picks } from '../../ui/picks.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'

/** Changes how a payment was made, when the cashier chose the wrong tender. No money moves. */
export function CorrectDialog({ sale, onClose }: { sale: Sale; onClose(): void }) {
  const t = useSalesTexts()
  const payments = sale.payments.filter(isCorrectable)
  const [paymentId, setPayment] = useState(payments[0]?.id)
  const [method, setMethod] = useState<ManualMethod | null>(null)
  const [reference, setReference] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const payment = payments.find(({ id }) => id === paymentId)
  const correct = async () => {
    if (payment === undefined || method === null) return
    setBusy(true)
    setError(null)
    try {
      await correctTender({ saleId: sale.id, paymentId: payment.id, method, reference })
      onClose()
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('sale.correct')}
      onClose={onClose}
      actions={
        <Button
          look="primary"
          size="large"
          className="flex-1"
          disabled={method === null || isBusy}
          onClick={() => void correct()}
        >
          {t('correct.now')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <p className="text-muted">{t('correct.text')}</p>
        {payments.length > 1 && (
          <div role="group" aria-label={t('correct.payment')} className="grid gap-2">
            {payments.map(({ id, method: from, amount }) => (
              <Button
                key={id}
                content="spread"
                look={id === paymentId ? 'primary' : 'plain'}
                aria-pressed={id === paymentId}
                onClick={() => {
                  setPayment(id)
                  setMethod(null)
                }}
              >
                <span>{t(`tender.${from}`)}</span>
                <span className="amount">{formatRupiah(amount)}</span>
              </Button>
            ))}
          </div>
        )}
        {payment && (
          <>
            <p className="flex justify-between gap-3 font-medium">
              <span>{t('correct.from', { tender: t(`tender.${payment.method}`) })}</span>
              <span className="amount">{formatRupiah(payment.amount)}</span>
            </p>
            <Picks<ManualMethod>
              label={t('pay.tender')}
              options={MANUAL_METHODS.filter((each) => each !== payment.method).map((each) => ({
                value: each,
                text: t(`tender.${each}`),
              }))}
              value={method}
              onValue={setMethod}
            />
          </>
        )}
        {method !== null && method !== 'CASH' && (
          <Field
            label={t('pay.reference')}
            value={reference}
            maxLength={200}
            autoComplete="off"
            onChange={({ target }) => setReference(target.value)}
          />
        )}
        <Failure error={error} />
      </div>
    </Dialog>
  )
}
