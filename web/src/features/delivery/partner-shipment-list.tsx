import { fulfillmentShipmentsList } from 'kasir-client'
import { PackageSearch } from 'lucide-react'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import {
  idIn,
  momentIn,
  numberIn,
  type PartnerRecord,
  readRows,
  recordIn,
  textIn,
} from '../../office/partner-data.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { type DeliveryTranslate, useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import { isShipmentState, lookOf, SHIPMENT_STATES, stateText } from './shipment-looks.ts'
import { courierIn } from './shown-shipment.ts'

/** Every shipment of the workspace at the partner, also those that other programs created there. */
export function PartnerShipmentList() {
  const t = useOfficeTexts()
  const d = useDeliveryTexts()
  const [{ status }] = useOfficeSearch()
  return (
    <ListPage
      title={d('partner')}
      columns={columnsIn(d, t('state'))}
      idOf={idIn}
      open={(row) => ({ id: idIn(row) })}
      source={{
        key: ['shipments', 'partner', status],
        read: (cursor) =>
          readRows(fulfillmentShipmentsList, cursor, isShipmentState(status) ? { status } : {}),
      }}
      filters={[
        {
          key: 'status',
          label: t('state'),
          options: SHIPMENT_STATES.map((value) => ({ value, text: stateText(d, value) })),
        },
      ]}
      ErrorView={ModuleFailure}
      empty={{ icon: PackageSearch, title: d('partner.empty'), text: d('partner.emptyText') }}
    />
  )
}

const columnsIn = (d: DeliveryTranslate, state: string): readonly Column<PartnerRecord>[] => [
  {
    key: 'to',
    title: d('shipment.to'),
    cell: (row) => (
      <span className="grid min-w-0">
        <span>{textIn(recordIn(row, 'destination'), 'contactName') || '–'}</span>
        <span className="text-xs font-normal text-muted">{courierIn(row)}</span>
      </span>
    ),
  },
  { key: 'created', title: d('shipment.created'), from: 'md', cell: (row) => momentIn(row, 'createdAt') },
  {
    key: 'price',
    title: d('shipment.price'),
    from: 'sm',
    isAmount: true,
    cell: (row) => formatRupiah(numberIn(row, 'price') + numberIn(row, 'insuranceFee')),
  },
  {
    key: 'state',
    title: state,
    cell: (row) => (
      <StateMark look={lookOf(textIn(row, 'status'))}>{stateText(d, textIn(row, 'status'))}</StateMark>
    ),
  },
]
