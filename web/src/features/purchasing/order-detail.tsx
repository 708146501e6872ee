import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type PurchaseOrder, purchaseOrdersCancel, purchaseOrdersReceive } from 'kasir-client'
import { PackageCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { useRequestKey } from '../../app/request-key.ts'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import { isValid } from '../../office/form/validity.ts'
import { LabelButton } from '../../office/labels/label-button.tsx'
import { May } from '../../office/may.tsx'
import { RecordFrame } from '../../office/record-frame.tsx'
import { StateMark } from '../../office/state-mark.tsx'
import { nameOf, useOutletName } from '../../office/use-outlet-options.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { ORDER_LOOKS } from './order-looks.ts'
import { type Receipt, ReceiveRow } from './receive-row.tsx'

const emptyReceipt = ({ qty, receivedQty }: PurchaseOrder['items'][number]): Receipt => ({
  qty: Math.max(qty - receivedQty, 0),
  batchNo: '',
  expiryDate: '',
})

/** An order that was sent, with the goods that have arrived and those that arrive now. A part may arrive first. */
export function OrderDetail({ order, onChange }: { order: PurchaseOrder; onChange(): void }) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const outletName = useOutletName()
  const isOpen = order.status === 'ORDERED' || order.status === 'PARTIALLY_RECEIVED'
  const [receipts, setReceipts] = useState(
    () => new Map(order.items.map((item) => [item.id, emptyReceipt(item)])),
  )
  const finish = () => {
    for (const key of ['orders', 'levels', 'movements', 'batches'])
      void queries.invalidateQueries({ queryKey: [key] })
    onChange()
  }
  const rows = useRef<HTMLUListElement>(null)
  const arrived = [...receipts].filter(([, { qty }]) => qty > 0)
  const isUnread = [...receipts.values()].some((receipt) => receipt.isUnread)
  const send = useRequestKey(`receive ${order.id} ${order.updatedAt}`)
  const receive = useMutation({
    mutationFn: () => {
      const items = arrived.map(([itemId, { qty, batchNo, expiryDate }]) => ({
        itemId,
        qty,
        ...(batchNo !== '' && { batchNo }),
        ...(expiryDate !== '' && { expiryDate }),
      }))
      return send((idempotencyKey) =>
        call(purchaseOrdersReceive, { id: order.id, items }, { idempotencyKey }),
      )
    },
    onSuccess: finish,
  })
  return (
    <RecordFrame
      title={order.number}
      aside={
        <>
          <StateMark look={ORDER_LOOKS[order.status]}>{t(`order.${order.status}`)}</StateMark>
          <LabelButton
            source={{
              kind: 'order',
              orderId: order.id,
              hasReceived: order.items.some(({ receivedQty }) => receivedQty > 0),
            }}
          />
          {isOpen && (
            <DeleteButton
              route="purchaseOrders.cancel"
              name={order.number}
              label={t('order.cancel')}
              text={t('order.cancelText')}
              remove={() => call(purchaseOrdersCancel, { id: order.id })}
              onDone={finish}
            />
          )}
        </>
      }
    >
      <p className="text-muted">
        {outletName(order.outletId)} · {formatRupiah(order.total)}
        {order.note && ` · ${order.note}`}
      </p>
      <ul ref={rows} aria-label={t('goods.list')} className="divide-y rounded-xl border bg-panel">
        {order.items.map((item) => (
          <ReceiveRow
            key={item.id}
            name={nameOf(item.productName, item.variantName)}
            item={item}
            receipt={isOpen ? (receipts.get(item.id) ?? null) : null}
            onReceipt={(receipt) => setReceipts((now) => new Map(now).set(item.id, receipt))}
          />
        ))}
      </ul>
      <Failure error={receive.error} />
      {isOpen && (
        <May route="purchaseOrders.receive">
          <Button
            look="primary"
            size="large"
            className="justify-self-start"
            disabled={(arrived.length === 0 && !isUnread) || receive.isPending}
            onClick={() => isValid(rows.current) && receive.mutate()}
          >
            <PackageCheck aria-hidden size={22} />
            {t('order.receive')}
          </Button>
        </May>
      )}
    </RecordFrame>
  )
}
