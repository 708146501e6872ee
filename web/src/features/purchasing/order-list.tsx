import { useQuery } from '@tanstack/react-query'
import { type PurchaseOrder, purchaseOrdersList, suppliersList } from 'kasir-client'
import { ClipboardList, Plus } from 'lucide-react'
import { call } from '../../app/service.ts'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { useAllOutletOptions, useOutletName } from '../../office/use-outlet-options.ts'
import { outletZone } from '../../offline/shop.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatRupiah } from '../../ui/rupiah.ts'
import { formatMoment } from '../../ui/time.ts'
import { ORDER_LOOKS } from './order-looks.ts'

const STATES = ['DRAFT', 'ORDERED', 'PARTIALLY_RECEIVED', 'RECEIVED', 'CANCELLED'] as const
const isState = (text: string | undefined): text is PurchaseOrder['status'] =>
  STATES.includes(text as PurchaseOrder['status'])

export function OrderList() {
  const t = useOfficeTexts()
  const outlets = useAllOutletOptions()
  const [{ outlet, status }, setAddress] = useOfficeSearch()
  const create = (
    <May route="purchaseOrders.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('order.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('orders')}
      columns={useColumns()}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['orders', outlet, status],
        read: (cursor) =>
          callPage(
            purchaseOrdersList,
            {
              limit: PAGE_ROWS,
              ...(cursor !== null && { cursor }),
              ...(outlet && { outletId: outlet }),
              ...(isState(status) && { status }),
            },
            ({ purchaseOrders }) => purchaseOrders,
          ),
      }}
      filters={[
        { key: 'outlet', label: t('outlet'), options: outlets },
        {
          key: 'status',
          label: t('state'),
          options: STATES.map((value) => ({ value, text: t(`order.${value}`) })),
        },
      ]}
      actions={create}
      empty={{ icon: ClipboardList, title: t('order.empty'), text: t('order.emptyText'), action: create }}
    />
  )
}

function useColumns(): readonly Column<PurchaseOrder>[] {
  const t = useOfficeTexts()
  const outletName = useOutletName()
  const suppliers = useQuery({
    queryKey: ['suppliers'],
    queryFn: async () => (await call(suppliersList)).suppliers,
  })
  const supplierName = (id: string | null) =>
    suppliers.data?.find((supplier) => supplier.id === id)?.name ?? t('order.noSupplier')
  return [
    {
      key: 'number',
      title: t('order.number'),
      cell: ({ number, supplierId }) => (
        <span className="grid min-w-0">
          <span>{number}</span>
          <span className="text-xs font-normal break-words text-muted">{supplierName(supplierId)}</span>
        </span>
      ),
    },
    { key: 'outlet', title: t('outlet'), from: 'md', cell: ({ outletId }) => outletName(outletId) },
    {
      key: 'date',
      title: t('report.day'),
      from: 'sm',
      sortBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt, outletId }) => formatMoment(createdAt, outletZone(outletId)),
    },
    {
      key: 'total',
      title: t('total'),
      isAmount: true,
      from: 'sm',
      sortBy: ({ total }) => total,
      cell: ({ total }) => formatRupiah(total),
    },
    {
      key: 'state',
      title: t('state'),
      cell: ({ status }) => <StateMark look={ORDER_LOOKS[status]}>{t(`order.${status}`)}</StateMark>,
    },
  ]
}
