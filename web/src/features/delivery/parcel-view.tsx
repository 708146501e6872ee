import { amountOfGoods } from '../../office/goods-amounts.ts'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import type { ShownShipment } from './shown-shipment.ts'

/** Where a parcel is delivered. */
export function PlaceText({ contactName, contactPhone, address, postalCode, note }: ShownShipment['to']) {
  return (
    <p className="grid gap-0.5 p-4 wrap-anywhere">
      <span className="font-medium">{contactName}</span>
      <span>{contactPhone}</span>
      <span className="whitespace-pre-line">{address}</span>
      <span>{postalCode}</span>
      {note !== '' && <span className="text-muted">{note}</span>}
    </p>
  )
}

/** The content of a parcel. */
export function ParcelList({ items }: Pick<ShownShipment, 'items'>) {
  const d = useDeliveryTexts()
  return (
    <ul aria-label={d('shipment.items')} className="divide-y">
      {items.map(({ name, quantity, weight, value }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a parcel may have the same item twice
        <li key={at} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2 text-sm">
          <span className="min-w-40 flex-1 font-medium wrap-anywhere">
            {d('shipment.of', { n: quantity, name })}
          </span>
          <span className="text-muted">
            {d('shipment.weight', { weight: amountOfGoods('WEIGHT', weight) })}
          </span>
          <span className="tabular-nums">{formatRupiah(value)}</span>
        </li>
      ))}
    </ul>
  )
}
