import { useMutation } from '@tanstack/react-query'
import { type CreditPay, customerCreditPay } from 'kasir-client'
import { useState } from 'react'
import { useRequestKey } from '../../app/request-key.ts'
import { call } from '../../app/service.ts'
import { WithOutlet } from '../../office/with-outlet.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { MoneyField } from '../../ui/money-field.tsx'
import { Picks } from '../../ui/picks.tsx'

type Method = CreditPay['method']
const METHODS: readonly Method[] = ['CASH', 'QRIS', 'CARD', 'VA', 'TRANSFER', 'OTHER']

type CreditPaymentDialogProps = {
  customerId: string
  balance: number
  /** The newest entry of the statement; null if there is none. */
  newestId: string | null
  onClose(): void
  onDone(): void
  /** Reads the debt again: the payment may have been taken although no answer came. */
  onError(): void
}

/** Takes money for a debt at the outlet of this device; the whole debt unless another amount is typed. */
export function CreditPaymentDialog(props: CreditPaymentDialogProps) {
  const t = useOfficeTexts()
  return (
    <WithOutlet>
      {({ id, name }) => <PaymentForm {...props} outletId={id} title={`${t('credit.pay')} · ${name}`} />}
    </WithOutlet>
  )
}

function PaymentForm(props: CreditPaymentDialogProps & { outletId: string; title: string }) {
  const { customerId, outletId, balance, newestId, title, onClose, onDone, onError } = props
  const t = useOfficeTexts()
  const [method, setMethod] = useState<Method>('CASH')
  const [amount, setAmount] = useState<number | null>(balance)
  const send = useRequestKey(`credit ${customerId} ${newestId}`)
  const pay = useMutation({
    mutationFn: () => {
      const body = { id: customerId, method, amount: amount ?? 0, outletId }
      return send((idempotencyKey) => call(customerCreditPay, body, { idempotencyKey }))
    },
    onSuccess: onDone,
    onError,
  })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <Button
          look="primary"
          className="flex-1"
          disabled={pay.isPending || (amount ?? 0) === 0}
          onClick={() => pay.mutate()}
        >
          {t('credit.pay')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <p className="text-sm text-muted">{t('credit.payText')}</p>
        <Picks<Method>
          label={t('credit.method')}
          options={METHODS.map((value) => ({ value, text: t(`tender.${value}`) }))}
          value={method}
          onValue={setMethod}
        />
        <MoneyField label={t('amount')} value={amount} onValue={setAmount} />
        <Failure error={pay.error} />
      </div>
    </Dialog>
  )
}
