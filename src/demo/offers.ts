import type { Ware } from './catalogue.ts'
import type { DemoClient } from './client.ts'

/** The channel of the café's delivery orders, which cost more. */
export const GOFOOD = 'GOFOOD'
/** The café's voucher: 10% off. */
export const VOUCHER = 'SENJA10'

const WEEKDAYS = [1, 2, 3, 4, 5]
const REGULARS = 4

type Offers = { cafeId: string; wares: readonly Ware[]; customers: readonly string[] }
type Category = { id: string; name: string }

/** Prices for deliveries, a happy hour, a bundle, a discount for regular customers and a voucher, all at the café. */
export async function createOffers(api: DemoClient, { cafeId, wares, customers }: Offers) {
  const { categories } = await api.get<{ categories: Category[] }>('/categories')
  const categoryIds = categories.filter(({ name }) => /kopi$/i.test(name)).map(({ id }) => id)
  const idOf = (sku: string) => wares.find((ware) => ware.sku === sku)?.variantId ?? ''
  const here = { outletIds: [cafeId] }
  await api.post('/price-lists', {
    name: 'GoFood',
    channels: [GOFOOD],
    ...here,
    entries: categories.map(({ id }) => ({ categoryId: id, adjustBps: 2_000, roundTo: 1_000 })),
  })
  const { customerGroup } = await api.post<{ customerGroup: { id: string } }>('/customer-groups', {
    name: 'Pelanggan tetap',
  })
  await api.post(`/customer-groups/${customerGroup.id}/assign`, { customerIds: customers.slice(0, REGULARS) })
  const promotions = [
    {
      name: 'Happy hour kopi',
      kind: 'PERCENT',
      percentBps: 2_000,
      categoryIds,
      weekdays: WEEKDAYS,
      from: '15:00',
      to: '17:00',
      stackable: true,
    },
    {
      name: 'Paket latte dan croissant',
      kind: 'BUNDLE',
      bundle: ['KP-LAT-R', 'RK-CRO'].map((sku) => ({ variantId: idOf(sku), quantity: 1 })),
      bundlePrice: 50_000,
    },
    {
      name: 'Pelanggan tetap',
      kind: 'PERCENT',
      percentBps: 500,
      customerGroupIds: [customerGroup.id],
      stackable: true,
    },
    { name: 'Voucher Senja', kind: 'PERCENT', percentBps: 1_000, code: VOUCHER, usageLimit: 500 },
  ]
  for (const promotion of promotions) await api.post('/promotions', { ...here, ...promotion })
}
