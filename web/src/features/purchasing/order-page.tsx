import { purchaseOrdersGet } from 'kasir-client'
import { call } from '../../app/service.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { RecordState } from '../../office/record-state.tsx'
import { WithOutlet } from '../../office/with-outlet.tsx'
import { OrderDetail } from './order-detail.tsx'
import { OrderForm } from './order-form.tsx'

/** A draft is edited; an order that was sent is received or cancelled. */
export function OrderEditor({ id }: { id: string }) {
  const isNew = id === 'new'
  const record = useRecord(
    ['order', id],
    async () => (await call(purchaseOrdersGet, { id })).purchaseOrder,
    !isNew,
  )
  if (isNew)
    return (
      <WithOutlet>
        {({ id: outletId }) => <OrderForm order={null} outletId={outletId} onChange={() => {}} />}
      </WithOutlet>
    )
  const order = record.data
  if (!order) return <RecordState query={record} />
  const onChange = () => void record.refetch()
  if (order.status === 'DRAFT')
    return <OrderForm key={order.updatedAt} order={order} outletId={order.outletId} onChange={onChange} />
  return <OrderDetail key={order.updatedAt} order={order} onChange={onChange} />
}
