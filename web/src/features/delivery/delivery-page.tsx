import { ModuleGate } from '../../office/module-gate.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { ShipmentList } from './shipment-list.tsx'

const AdjustForm = lazyPart(() => import('./adjust-form.tsx').then((file) => file.AdjustForm))
const CourierList = lazyPart(() => import('./courier-list.tsx').then((file) => file.CourierList))
const CreditList = lazyPart(() => import('./credit-list.tsx').then((file) => file.CreditList))
const LevelList = lazyPart(() => import('./level-list.tsx').then((file) => file.LevelList))
const LicenseForm = lazyPart(() => import('./license-form.tsx').then((file) => file.LicenseForm))
const LicenseList = lazyPart(() => import('./license-list.tsx').then((file) => file.LicenseList))
const MovementList = lazyPart(() => import('./movement-list.tsx').then((file) => file.MovementList))
const OrderList = lazyPart(() => import('./order-list.tsx').then((file) => file.OrderList))
const OrderShipment = lazyPart(() => import('./order-shipment.tsx').then((file) => file.OrderShipment))
const OriginForm = lazyPart(() => import('./origin-form.tsx').then((file) => file.OriginForm))
const PartnerShipmentDetail = lazyPart(() =>
  import('./partner-shipment-detail.tsx').then((file) => file.PartnerShipmentDetail),
)
const PartnerShipmentList = lazyPart(() =>
  import('./partner-shipment-list.tsx').then((file) => file.PartnerShipmentList),
)
const ShipmentDetail = lazyPart(() => import('./shipment-detail.tsx').then((file) => file.ShipmentDetail))
const ShipmentForm = lazyPart(() => import('./shipment-form.tsx').then((file) => file.ShipmentForm))
const TopUpForm = lazyPart(() => import('./top-up-form.tsx').then((file) => file.TopUpForm))
const WarehouseEditor = lazyPart(() => import('./warehouse-form.tsx').then((file) => file.WarehouseEditor))
const WarehouseList = lazyPart(() => import('./warehouse-list.tsx').then((file) => file.WarehouseList))

const LISTS = {
  shipments: ShipmentList,
  orders: OrderList,
  origin: OriginForm,
  couriers: CourierList,
  credits: CreditList,
  warehouses: WarehouseList,
  levels: LevelList,
  movements: MovementList,
  partner: PartnerShipmentList,
  licenses: LicenseList,
} as const
type TabKey = keyof typeof LISTS
const TABS = Object.keys(LISTS) as readonly TabKey[]

/** Shipments and the orders they belong to, couriers and what they cost, and the warehouses of the partner. */
export function DeliveryPage() {
  const t = useOfficeTexts()
  const d = useDeliveryTexts()
  const [{ tab = 'shipments', id }] = useOfficeSearch()
  const List = LISTS[tab as TabKey]
  return (
    <ModuleGate module="fulfillment">
      {id === undefined ? (
        <>
          <Tabs label={t('area.delivery')} tabs={TABS.map((key) => ({ key, text: d(key) }))} />
          {List && <List />}
        </>
      ) : (
        <OpenRecord key={`${tab} ${id}`} tab={tab} id={id} />
      )}
    </ModuleGate>
  )
}

function OpenRecord({ tab, id }: { tab: string; id: string }) {
  if (tab === 'orders') return <OrderShipment id={id} />
  if (tab === 'licenses') return <LicenseForm />
  if (tab === 'credits') return <TopUpForm />
  if (tab === 'warehouses') return <WarehouseEditor id={id} />
  if (tab === 'levels' || tab === 'movements') return <AdjustForm />
  if (tab === 'partner') return <PartnerShipmentDetail id={id} />
  return id === 'new' ? <ShipmentForm initial={null} saleId={null} /> : <ShipmentDetail id={id} />
}
