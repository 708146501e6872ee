import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { deliveryCancel, deliveryConfirmPickup, deliveryGet } from 'kasir-client'
import { call } from '../../app/service.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { ShipmentActions } from './shipment-actions.tsx'
import { ShipmentView } from './shipment-view.tsx'
import { shownFrom } from './shown-shipment.ts'

/** Steps that the courier reports appear while the page is open. */
const EVERY_MS = 15_000

/** A shipment of this service. */
export function ShipmentDetail({ id }: { id: string }) {
  const d = useDeliveryTexts()
  const queries = useQueryClient()
  const answer = useQuery({
    queryKey: ['shipment', id],
    queryFn: async () => (await call(deliveryGet, { id })).shipment,
    refetchInterval: EVERY_MS,
  })
  if (!answer.data) return <RecordState query={answer} ErrorView={ModuleFailure} />
  const shipment = answer.data
  const shown = shownFrom(shipment)
  const refresh = () => {
    for (const key of ['shipment', 'shipments', 'deliveryOrders', 'credits'])
      void queries.invalidateQueries({ queryKey: [key] })
  }
  return (
    <ShipmentView
      shipment={shown}
      actions={
        <ShipmentActions
          shipment={shown}
          partnerId={shipment.providerRef}
          book={{
            route: 'delivery.confirmPickup',
            run: (idempotencyKey) => call(deliveryConfirmPickup, { id }, { idempotencyKey }),
          }}
          cancel={{
            route: 'delivery.cancel',
            run: (idempotencyKey) => call(deliveryCancel, { id }, { idempotencyKey }),
          }}
          onDone={refresh}
        />
      }
      links={
        shipment.transactionId !== null && (
          <Link
            to="/penjualan"
            search={{ sale: shipment.transactionId }}
            className="inline-flex min-h-12 items-center px-2 font-semibold underline"
          >
            {d('shipment.sale')}
          </Link>
        )
      }
    />
  )
}
