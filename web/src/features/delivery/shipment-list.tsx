import { deliveryList, type Shipment } from 'kasir-client'
import { Plus, Truck } from 'lucide-react'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { type DeliveryTranslate, useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatMoment } from '../../ui/time.ts'
import { isShipmentState, lookOf, SHIPMENT_STATES, stateText } from './shipment-looks.ts'

/** Reports of the couriers arrive while the page is open. */
const EVERY_MS = 30_000

export function ShipmentList() {
  const t = useOfficeTexts()
  const d = useDeliveryTexts()
  const [{ status }, setAddress] = useOfficeSearch()
  const create = (
    <May route="delivery.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {d('shipment.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={d('shipments')}
      columns={columnsIn(d, t('state'))}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['shipments', status],
        read: (cursor) =>
          callPage(
            deliveryList,
            {
              limit: PAGE_ROWS,
              ...(cursor !== null && { cursor }),
              ...(isShipmentState(status) && { status }),
            },
            (rows) => rows,
          ),
        everyMs: EVERY_MS,
      }}
      filters={[
        {
          key: 'status',
          label: t('state'),
          options: SHIPMENT_STATES.map((value) => ({ value, text: stateText(d, value) })),
        },
      ]}
      actions={create}
      empty={{ icon: Truck, title: d('shipment.empty'), text: d('shipment.emptyText'), action: create }}
    />
  )
}

const courierOf = ({ courierName, courierCode, courierServiceName, courierServiceCode }: Shipment) =>
  `${courierName ?? courierCode} · ${courierServiceName ?? courierServiceCode}`

const columnsIn = (d: DeliveryTranslate, state: string): readonly Column<Shipment>[] => [
  {
    key: 'to',
    title: d('shipment.to'),
    sortBy: ({ destination }) => destination.contactName,
    cell: (shipment) => (
      <span className="grid min-w-0">
        <span>{shipment.destination.contactName}</span>
        <span className="text-xs font-normal text-muted">{courierOf(shipment)}</span>
      </span>
    ),
  },
  {
    key: 'created',
    title: d('shipment.created'),
    from: 'md',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => formatMoment(createdAt),
  },
  {
    key: 'price',
    title: d('shipment.price'),
    from: 'sm',
    isAmount: true,
    sortBy: ({ price, insuranceFee }) => price + insuranceFee,
    cell: ({ price, insuranceFee }) => formatRupiah(price + insuranceFee),
  },
  {
    key: 'state',
    title: state,
    cell: ({ status }) => <StateMark look={lookOf(status)}>{stateText(d, status)}</StateMark>,
  },
]
