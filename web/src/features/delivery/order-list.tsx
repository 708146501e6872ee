import { type SaleRow, salesList } from 'kasir-client'
import { ShoppingBag } from 'lucide-react'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { useAllOutletOptions, useOutletName } from '../../office/use-outlet-options.ts'
import { outletZone } from '../../offline/shop.ts'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatMoment } from '../../ui/time.ts'
import { hasFailed, lookOf, stateText } from './shipment-looks.ts'

/** Sales of the order type delivery. A row leads to its shipment, or to the page that creates one. */
export function OrderList() {
  const t = useOfficeTexts()
  const d = useDeliveryTexts()
  const [{ outlet, q }] = useOfficeSearch()
  const outlets = useAllOutletOptions()
  return (
    <ListPage
      title={d('orders')}
      columns={useColumns()}
      idOf={({ id }) => id}
      open={({ id, delivery: { shipmentId, status } }) =>
        shipmentId === null || hasFailed(status) ? { id } : { tab: null, id: shipmentId }
      }
      source={{
        key: ['deliveryOrders', outlet, q],
        read: (cursor) =>
          callPage(
            salesList,
            {
              orderType: 'DELIVERY',
              limit: PAGE_ROWS,
              ...(cursor !== null && { cursor }),
              ...(outlet && { outletId: outlet }),
              ...(q && { q }),
            },
            (rows) => rows,
          ),
      }}
      search={{ label: d('order.number') }}
      filters={[{ key: 'outlet', label: t('outlet'), options: outlets }]}
      empty={{ icon: ShoppingBag, title: d('order.empty'), text: d('order.emptyText') }}
    />
  )
}

function useColumns(): readonly Column<SaleRow>[] {
  const t = useOfficeTexts()
  const d = useDeliveryTexts()
  const outletName = useOutletName()
  return [
    {
      key: 'number',
      title: d('order.number'),
      cell: ({ number, createdAt, outletId }) => (
        <span className="grid min-w-0">
          <span>{number}</span>
          <span className="text-xs font-normal text-muted">
            {formatMoment(createdAt, outletZone(outletId))}
          </span>
        </span>
      ),
    },
    { key: 'outlet', title: t('outlet'), from: 'md', cell: ({ outletId }) => outletName(outletId) },
    {
      key: 'fee',
      title: t('deliveryFee'),
      from: 'sm',
      isAmount: true,
      sortBy: ({ deliveryFee }) => deliveryFee,
      cell: ({ deliveryFee }) => formatRupiah(deliveryFee),
    },
    {
      key: 'state',
      title: t('state'),
      sortBy: ({ delivery }) => stateText(d, delivery.status),
      cell: ({ delivery }) => (
        <StateMark look={lookOf(delivery.status)}>{stateText(d, delivery.status)}</StateMark>
      ),
    },
  ]
}
