import type { Api } from '../../support/api.ts'
import { makeCustomer, makeOutlet, makeProduct, openShift } from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { byId, type Make } from '../request.ts'

/** An address, so that no name server is asked; nothing is sent to it in these tests. */
const HOOK = 'https://8.8.4.4/hook'
const endpoint = async (api: Api): Promise<string> =>
  done(await api.post('/webhook-subscriptions', { url: HOOK })).subscription.id
/** One whose endpoint was paused and switched on again: it failed, and may be sent by hand. */
const failedDelivery = async (api: Api): Promise<string> => {
  const id = await endpoint(api)
  await makeCustomer(api)
  for (const active of [false, true]) done(await api.patch(`/webhook-subscriptions/${id}`, { active }))
  const [delivery] = done(await api.get(`/webhook-subscriptions/deliveries?subscriptionId=${id}`))
  return delivery.id
}

/** A report on an outlet that has sold something. */
const report =
  (query: Record<string, string> = {}) =>
  async (api: Api) => {
    const outletId = await makeOutlet(api)
    const variantId = (await makeProduct(api)).variants[0].id
    done(await api.post('/sales', { outletId, items: [{ variantId, quantity: 1 }], status: 'COMPLETED' }))
    return { query: { outletId, ...query } }
  }

export const insight: Record<string, Make> = {
  'GET /catalogue': async (api) => ({ query: { outletId: await makeOutlet(api) } }),
  'GET /reports/summary': report({ from: new Date(Date.now() - 86_400_000).toISOString() }),
  'GET /reports/top-products': report(),
  'GET /reports/sales-by-day': report({ days: '7' }),
  'GET /reports/hours': report(),
  'GET /reports/promotions': report(),
  'GET /reports/categories': report(),
  'GET /reports/cashiers': report(),
  'GET /reports/margin': report(),
  'GET /reports/expenses': report(),
  'GET /reports/receivables': async () => ({}),
  'GET /reports/stock-value': report({ date: '2026-01-31' }),
  'GET /reports/shifts/{id}': byId(async (api) => openShift(api, await makeOutlet(api))),
  'GET /reports/low-stock': async (api) => {
    const outletId = await makeOutlet(api)
    const variantId = (await makeProduct(api)).variants[0].id
    done(await api.put('/inventory/reorder', { outletId, variantId, reorderPoint: 3 }))
    return { query: { outletId } }
  },
  'GET /events/stream': async (api) => ({ query: { outletId: await makeOutlet(api) } }),
  'GET /events': async () => ({ query: { type: 'service.customer.created.v1', resource: 'cus_x' } }),
  'GET /webhook-subscriptions': async () => ({}),
  'POST /webhook-subscriptions': async () => ({
    body: { url: HOOK, events: ['service.sale.completed.v1'] },
  }),
  'PATCH /webhook-subscriptions/{id}': async (api) => ({
    params: { id: await endpoint(api) },
    body: { url: HOOK, events: [], active: true },
  }),
  'DELETE /webhook-subscriptions/{id}': byId(endpoint),
  'GET /webhook-subscriptions/deliveries': async (api) => ({
    query: { subscriptionId: await endpoint(api), status: 'pending', type: 'service.customer.created.v1' },
  }),
  'GET /webhook-subscriptions/deliveries/{id}': byId(failedDelivery),
  'POST /webhook-subscriptions/deliveries/{id}/retry': byId(failedDelivery),
  'GET /webhook-subscriptions/event-types': async () => ({}),
}
