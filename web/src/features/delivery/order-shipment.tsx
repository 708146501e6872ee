import { useMutation, useQueryClient } from '@tanstack/react-query'
import { deliveryDispatch, type Sale, salesGet } from 'kasir-client'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useRequestKey } from '../../app/request-key.ts'
import { call } from '../../app/service.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { May } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { Panel } from '../../office/panel.tsx'
import { RecordFrame } from '../../office/record-frame.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ParcelList, PlaceText } from './parcel-view.tsx'
import { ShipmentForm } from './shipment-form.tsx'
import { valuesFromSale } from './shipment-values.ts'
import { shownFromPartner } from './shown-shipment.ts'

/** Sends a sale: with the destination and the courier that the register has kept, or with a form for both. */
export function OrderShipment({ id }: { id: string }) {
  const d = useDeliveryTexts()
  const record = useRecord(['deliverySale', id], async () => (await call(salesGet, { id })).sale)
  const [isForm, setForm] = useState(false)
  if (!record.data) return <RecordState query={record} />
  const sale = record.data
  const draft = sale.deliveryDraft
  if (sale.status === 'VOIDED')
    return (
      <div className="p-4 sm:p-6">
        <h1 className="mb-3 text-2xl font-bold">{d('order.of', { number: sale.number })}</h1>
        <Notice text={d('order.voided')} />
      </div>
    )
  if (isForm || typeof draft !== 'object' || draft === null)
    return (
      <ShipmentForm
        initial={valuesFromSale(sale)}
        saleId={sale.id}
        title={d('order.of', { number: sale.number })}
      />
    )
  return <DraftPage sale={sale} draft={draft} onForm={() => setForm(true)} />
}

type DraftProps = { sale: Sale; draft: object; onForm(): void }

function DraftPage({ sale, draft, onForm }: DraftProps) {
  const d = useDeliveryTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const send = useRequestKey()
  const dispatch = useMutation({
    mutationFn: () => send((idempotencyKey) => call(deliveryDispatch, { id: sale.id }, { idempotencyKey })),
    onSuccess: ({ shipment }) => {
      for (const key of ['shipments', 'deliveryOrders']) void queries.invalidateQueries({ queryKey: [key] })
      void setAddress({ tab: null, id: shipment.id }, true)
    },
  })
  // The register stores the draft as it was sent, so any field of it may be missing.
  const shown = shownFromPartner({ ...draft })
  return (
    <RecordFrame title={d('order.of', { number: sale.number })}>
      <p className="text-muted">{d('order.draft')}</p>
      <Panel title={d('shipment.to')}>
        <PlaceText {...shown.to} />
      </Panel>
      <Panel title={d('shipment.courier')}>
        <p className="p-4">{shown.courier}</p>
      </Panel>
      <Panel title={d('shipment.items')}>
        <ParcelList items={shown.items} />
      </Panel>
      <ModuleFailure error={dispatch.error} isWrite />
      <div className="flex flex-wrap gap-2">
        <May route="delivery.dispatch">
          <Button look="primary" disabled={dispatch.isPending} onClick={() => dispatch.mutate()}>
            <Send aria-hidden size={20} />
            {d('order.dispatch')}
          </Button>
        </May>
        <May route="delivery.create">
          <Button disabled={dispatch.isPending} onClick={onForm}>
            {d('order.fill')}
          </Button>
        </May>
      </div>
    </RecordFrame>
  )
}
