import { useMutation } from '@tanstack/react-query'
import { type PurchaseOrder, purchaseOrdersCancel, purchaseOrdersOrder } from 'kasir-client'
import { Send } from 'lucide-react'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'

type DraftProps = { order: PurchaseOrder; isDirty: boolean; onChange(): void }

/** Sends a draft to the supplier, or cancels it. */
export function DraftActions({ order, isDirty, onChange }: DraftProps) {
  const t = useOfficeTexts()
  const send = useMutation({
    mutationFn: () => call(purchaseOrdersOrder, { id: order.id }),
    onSuccess: onChange,
  })
  return (
    <>
      <Failure error={send.error} />
      <May route="purchaseOrders.order">
        <Button disabled={isDirty || send.isPending} onClick={() => send.mutate()}>
          <Send aria-hidden size={18} />
          {t('order.send')}
        </Button>
      </May>
      <DeleteButton
        route="purchaseOrders.cancel"
        name={order.number}
        label={t('order.cancel')}
        text={t('order.cancelText')}
        remove={() => call(purchaseOrdersCancel, { id: order.id })}
        onDone={onChange}
        isDirty={isDirty}
      />
    </>
  )
}
