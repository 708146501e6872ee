import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fulfillmentShipmentsGetLabel } from 'kasir-client'
import { Bike, CircleX, FileDown } from 'lucide-react'
import { useState } from 'react'
import { useRequestKey } from '../../app/request-key.ts'
import { call } from '../../app/service.ts'
import { ConfirmDialog } from '../../office/confirm-dialog.tsx'
import { May } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import type { RouteName } from '../../office/page-routes.ts'
import { saveFile } from '../../office/save-file.ts'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { isCancellable } from './shipment-looks.ts'
import type { ShownShipment } from './shown-shipment.ts'

type Write = (idempotencyKey: string) => Promise<unknown>

type ActionsProps = {
  shipment: ShownShipment
  /** The id of the shipment at the partner, which makes the label. */
  partnerId: string
  book: { route: RouteName; run: Write }
  cancel: { route: RouteName; run: Write }
  onDone(): void
}

/** Books the courier of a draft, cancels a shipment before its pick-up, and downloads the label. */
export function ShipmentActions({ shipment, partnerId, book, cancel, onDone }: ActionsProps) {
  const d = useDeliveryTexts()
  const [dialog, setDialog] = useState<'book' | 'cancel' | null>(null)
  const label = useMutation({
    mutationFn: () => call(fulfillmentShipmentsGetLabel, { id: partnerId }),
    onSuccess: (pdf) => saveFile(`${shipment.waybillId ?? partnerId}.pdf`, pdf),
  })
  const isDraft = shipment.status === 'draft'
  const close = () => setDialog(null)
  const finish = () => {
    onDone()
    close()
  }
  return (
    <>
      {isDraft && (
        <May route={book.route}>
          <Button look="primary" onClick={() => setDialog('book')}>
            <Bike aria-hidden size={20} />
            {d('shipment.book')}
          </Button>
        </May>
      )}
      {shipment.waybillId !== null && (
        <May route="fulfillmentShipments.getLabel">
          <Button disabled={label.isPending} onClick={() => label.mutate()}>
            <FileDown aria-hidden size={20} />
            {d('shipment.label')}
          </Button>
        </May>
      )}
      {isCancellable(shipment.status) && (
        <May route={cancel.route}>
          <Button look="quiet" className="text-danger!" onClick={() => setDialog('cancel')}>
            <CircleX aria-hidden size={18} />
            {d('shipment.cancel')}
          </Button>
        </May>
      )}
      {label.error !== null && (
        <div className="w-full">
          <ModuleFailure error={label.error} />
        </div>
      )}
      {dialog !== null && (
        <ActionDialog
          kind={dialog}
          shipment={shipment}
          run={dialog === 'book' ? book.run : cancel.run}
          onDone={finish}
          onClose={close}
        />
      )}
    </>
  )
}

type DialogProps = {
  kind: 'book' | 'cancel'
  shipment: ShownShipment
  run: Write
  onDone(): void
  onClose(): void
}

function ActionDialog({ kind, shipment, run, onDone, onClose }: DialogProps) {
  const d = useDeliveryTexts()
  const send = useRequestKey()
  const amount = formatRupiah(shipment.price + shipment.insuranceFee)
  return (
    <ConfirmDialog
      title={d(`shipment.${kind}Of`, { name: shipment.to.contactName })}
      verb={d(`shipment.${kind}`)}
      look={kind === 'book' ? 'primary' : 'danger'}
      run={() => send(run)}
      onDone={onDone}
      onClose={onClose}
      showError={(error) => (
        <ModuleFailure error={error} isWrite>
          {kind === 'book' && (
            <Link
              to="."
              search={{ tab: 'credits' } as never}
              className="inline-flex min-h-11 items-center font-semibold underline"
            >
              {d('shipment.toCredits')}
            </Link>
          )}
        </ModuleFailure>
      )}
    >
      <p>{d(`shipment.${kind}Text`, { amount })}</p>
    </ConfirmDialog>
  )
}
