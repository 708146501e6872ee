import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  fulfillmentShipmentsCancel,
  fulfillmentShipmentsConfirmPickup,
  fulfillmentShipmentsGet,
} from 'kasir-client'
import { call } from '../../app/service.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { readRecord } from '../../office/partner-data.ts'
import { RecordState } from '../../office/record-state.tsx'
import { ShipmentActions } from './shipment-actions.tsx'
import { ShipmentView } from './shipment-view.tsx'
import { shownFromPartner } from './shown-shipment.ts'

/** A shipment as the partner has it. */
export function PartnerShipmentDetail({ id }: { id: string }) {
  const queries = useQueryClient()
  const answer = useQuery({
    queryKey: ['shipment', 'partner', id],
    queryFn: () => readRecord(fulfillmentShipmentsGet, { id }),
  })
  if (!answer.data) return <RecordState query={answer} ErrorView={ModuleFailure} />
  const shown = shownFromPartner(answer.data)
  const refresh = () => {
    for (const key of ['shipment', 'shipments', 'credits'])
      void queries.invalidateQueries({ queryKey: [key] })
  }
  return (
    <ShipmentView
      shipment={shown}
      actions={
        <ShipmentActions
          shipment={shown}
          partnerId={id}
          book={{
            route: 'fulfillmentShipments.confirmPickup',
            run: (idempotencyKey) => call(fulfillmentShipmentsConfirmPickup, { id }, { idempotencyKey }),
          }}
          cancel={{
            route: 'fulfillmentShipments.cancel',
            run: (idempotencyKey) => call(fulfillmentShipmentsCancel, { id }, { idempotencyKey }),
          }}
          onDone={refresh}
        />
      }
    />
  )
}
