import { ModuleGate } from '../../office/module-gate.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { AdjustForm } from './adjust-form.tsx'
import { CourierList } from './courier-list.tsx'
import { CreditList } from './credit-list.tsx'
import { LevelList } from './level-list.tsx'
import { MovementList } from './movement-list.tsx'
import { OrderList } from './order-list.tsx'
import { OrderShipment } from './order-shipment.tsx'
import { OriginForm } from './origin-form.tsx'
import { PartnerShipmentDetail } from './partner-shipment-detail.tsx'
import { PartnerShipmentList } from './partner-shipment-list.tsx'
import { ShipmentDetail } from './shipment-detail.tsx'
import { ShipmentForm } from './shipment-form.tsx'
import { ShipmentList } from './shipment-list.tsx'
import { TopUpForm } from './top-up-form.tsx'
import { WarehouseEditor } from './warehouse-form.tsx'
import { WarehouseList } from './warehouse-list.tsx'

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
  if (tab === 'credits') return <TopUpForm />
  if (tab === 'warehouses') return <WarehouseEditor id={id} />
  if (tab === 'levels' || tab === 'movements') return <AdjustForm />
  if (tab === 'partner') return <PartnerShipmentDetail id={id} />
  return id === 'new' ? <ShipmentForm initial={null} saleId={null} /> : <ShipmentDetail id={id} />
}
