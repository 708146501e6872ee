import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Panel } from '../../office/panel.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { ParcelList, PlaceText } from './parcel-view.tsx'
import { lookOf, stateText } from './shipment-looks.ts'
import type { ShownShipment } from './shown-shipment.ts'

type ViewProps = { shipment: ShownShipment; actions: ReactNode; links?: ReactNode }

/** A shipment with its destination, its parcel and every step of its delivery. */
export function ShipmentView({ shipment, actions, links }: ViewProps) {
  const t = useOfficeTexts()
  const d = useDeliveryTexts()
  const [, setAddress] = useOfficeSearch()
  const { status, to, courier, price, insuranceFee, waybillId, trackingUrl, items, history } = shipment
  return (
    <section className="grid max-w-4xl content-start gap-4 p-4 sm:p-6">
      <header className="flex flex-wrap items-center gap-2">
        <Button
          look="quiet"
          size="icon"
          aria-label={t('form.back')}
          onClick={() => void setAddress({ id: null })}
        >
          <ArrowLeft aria-hidden size={22} />
        </Button>
        <h1 className="min-w-0 flex-1 text-2xl font-bold wrap-anywhere">{to.contactName || '–'}</h1>
        <StateMark look={lookOf(status)}>{stateText(d, status)}</StateMark>
      </header>
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
    </section>
  )
}
