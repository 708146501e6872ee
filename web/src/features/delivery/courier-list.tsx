import { deliveryListCouriers } from 'kasir-client'
import { Bike } from 'lucide-react'
import { call } from '../../app/service.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { useDeliveryTexts } from '../../texts/delivery/texts.ts'

type CourierService = { id: string; courier: string; service: string }

async function readServices(): Promise<CourierService[]> {
  const { couriers } = await call(deliveryListCouriers)
  return couriers.flatMap((courier) =>
    courier.services.map((service) => ({
      id: `${courier.code} ${service.code}`,
      courier: courier.name,
      service: service.name,
    })),
  )
}

/** The couriers of the partner with their services. */
export function CourierList() {
  const d = useDeliveryTexts()
  return (
    <ListPage
      title={d('couriers')}
      columns={[
        {
          key: 'courier',
          title: d('shipment.courier'),
          sortBy: ({ courier }) => courier,
          cell: ({ courier }) => courier,
        },
        {
          key: 'service',
          title: d('courier.service'),
          sortBy: ({ service }) => service,
          cell: ({ service }) => service,
        },
      ]}
      idOf={({ id }) => id}
      source={{ key: ['couriers'], read: async () => ({ rows: await readServices(), cursor: null }) }}
      search={{
        label: d('courier.search'),
        matches: ({ courier, service }, text) => `${courier} ${service}`.toLowerCase().includes(text),
      }}
      ErrorView={ModuleFailure}
      empty={{ icon: Bike, title: d('courier.empty'), text: d('courier.emptyText') }}
    />
  )
}
