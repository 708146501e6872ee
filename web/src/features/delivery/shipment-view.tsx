import type { ReactNode } from 'react'
import { Panel } from '../../office/panel.tsx'
import { RecordFrame } from '../../office/record-frame.tsx'
import { StateMark } from '../../office/state-mark.tsx'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import { ParcelList, PlaceText } from './parcel-view.tsx'
import { lookOf, stateText } from './shipment-looks.ts'
import type { ShownShipment } from './shown-shipment.ts'

type ViewProps = { shipment: ShownShipment; actions: ReactNode; links?: ReactNode }

/** A shipment with its destination, its parcel and every step of its delivery. */
export function ShipmentView({ shipment, actions, links }: ViewProps) {
  const d = useDeliveryTexts()
  const { status, to, courier, price, insuranceFee, waybillId, trackingUrl, items, history } = shipment
  return (
    <RecordFrame
      title={to.contactName || '–'}
      aside={<StateMark look={lookOf(status)}>{stateText(d, status)}</StateMark>}
    >
      <p className="text-muted wrap-anywhere">
        {courier} · {formatRupiah(price)}
        {insuranceFee > 0 && ` · ${d('shipment.insuranceFee', { amount: formatRupiah(insuranceFee) })}`}
        {waybillId !== null && ` · ${d('shipment.waybill', { number: waybillId })}`}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {actions}
        {trackingUrl !== null && (
          <a
            href={trackingUrl}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-12 items-center px-2 font-semibold underline"
          >
            {d('shipment.track')}
          </a>
        )}
        {links}
      </div>
      <Panel title={d('shipment.to')}>
        <PlaceText {...to} />
      </Panel>
      <Panel title={d('shipment.items')}>
        <ParcelList items={items} />
      </Panel>
      <Panel title={d('shipment.history')}>
        <ol aria-label={d('shipment.history')} className="divide-y">
          {history.map(({ status: step, note, at }) => (
            <li
              key={`${at} ${step}`}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm"
            >
              <span className="text-muted tabular-nums">{at}</span>
              <span className="font-medium">{stateText(d, step)}</span>
              {note && <span className="text-muted wrap-anywhere">{note}</span>}
            </li>
          ))}
        </ol>
      </Panel>
    </RecordFrame>
  )
}
