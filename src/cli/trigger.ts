import { newId } from '../core/ids.ts'
import { command, say, UsageError } from './command.ts'
import { inWords, requireType } from './listen.ts'
import { openRemote, type Remote, remoteArgs } from './remote.ts'

export const trigger = command({
  name: 'trigger',
  description: 'Make an event of a type happen: a real operation in the demo workspace',
  args: {
    type: {
      type: 'positional',
      required: true,
      valueHint: 'type',
      description: 'Such as service.sale.completed.v1',
    },
    ...remoteArgs,
  },
  environment: ['dataDir', 'publicUrl', 'host', 'port'],
  examples: [
    ['kasir trigger service.sale.completed.v1', 'sells something in the demo workspace'],
    ['kasir trigger service.stock.low.v1', 'kasir listen forwards the event to your receiver'],
  ],
  run: async ({ type, ...options }) => {
    const remote = await openRemote(options)
    try {
      type Offered = { eventTypes: { type: string }[] }
      const { data } = await remote.call<Offered>('GET', '/webhook-subscriptions/event-types').catch(inWords)
      const known = data.eventTypes.map((one) => one.type)
      const act = ACTS[requireType(type, known)]
      if (!act)
        throw new UsageError(`${type} is made by ${BY_OTHERS[type] ?? 'something else'}; no command can`)
      await act(remote).catch(inWords)
      say(`Done: ${type} is in the log of the workspace, with every other event of that operation`)
    } finally {
      await remote.close()
    }
  },
})

/** What no request of ours makes happen. */
const BY_OTHERS: Readonly<Record<string, string>> = {
  'service.payment.failed.v1': 'the payment partner, when a payment fails',
  'service.payment.unapplied.v1': 'the payment partner, when a payment arrives for a bill that is gone',
  'service.subscription.changed.v1':
    'paying for a plan, canceling it (POST /billing/cancel) or letting it run out, which needs a payment partner',
  'service.module.changed.v1': 'switching a module on or off (POST /modules), which needs a partner',
  'service.shipment.created.v1':
    'a new shipment (POST /delivery/shipments), which needs a fulfilment partner',
  'service.shipment.updated.v1': 'the fulfilment partner, when a shipment moves',
  'service.shipment.cancelled.v1': 'the fulfilment partner, when a shipment is canceled',
}

type Id = { id: string }
const PRICE = 15_000

const named = (word: string) => `${word} ${newId('event').slice(-6)}`
const post = async <T>(remote: Remote, route: string, body: object = {}): Promise<T> =>
  (await remote.call<T>('POST', route, body)).data

/** Each act brings what it needs: what the workspace has already stays as it is. */
const outlet = async (remote: Remote) =>
  (await post<{ outlet: Id }>(remote, '/outlets', { name: named('Trigger') })).outlet.id
const product = async (remote: Remote, more: object = {}) => {
  const body = { name: named('Kopi Trigger'), variants: [{ price: PRICE }], ...more }
  return (await post<{ product: Id & { variants: [Id, ...Id[]] } }>(remote, '/products', body)).product
}
const goods = async (remote: Remote) => ({
  outletId: await outlet(remote),
  variantId: (await product(remote)).variants[0].id,
})
const customer = async (remote: Remote) =>
  (await post<{ customer: Id }>(remote, '/customers', { name: named('Sari') })).customer.id
const card = async (remote: Remote) =>
  (await post<{ giftCard: Id & { code: string } }>(remote, '/gift-cards', { amount: PRICE })).giftCard
const bill = async (remote: Remote, status: 'PARKED' | 'COMPLETED', more: object = {}) => {
  const { outletId, variantId } = await goods(remote)
  const body = { outletId, items: [{ variantId, quantity: 1 }], status, ...more }
  const { sale } = await post<{ sale: Id & { items: [Id & { variantId: string }] } }>(remote, '/sales', body)
  return { ...sale, variantId }
}
const stocked = async (remote: Remote) => {
  const place = await goods(remote)
  await post(remote, '/inventory/adjust', { ...place, qtyDelta: 5 })
  return place
}
const order = async (remote: Remote) => {
  const { outletId, variantId } = await goods(remote)
  const items = [{ variantId, qty: 2 }]
  type Made = { purchaseOrder: Id & { items: [Id] } }
  const { purchaseOrder } = await post<Made>(remote, '/purchase-orders', { outletId, items })
  await post(remote, `/purchase-orders/${purchaseOrder.id}/order`)
  return { ...purchaseOrder, variantId }
}
const shift = async (remote: Remote) =>
  (await post<{ shift: Id }>(remote, '/shifts/open', { outletId: await outlet(remote), openingFloat: 0 }))
    .shift.id

type Act = (remote: Remote) => Promise<unknown>

const ACTS: Readonly<Record<string, Act>> = {
  'service.sale.parked.v1': (remote) => bill(remote, 'PARKED'),
  'service.sale.updated.v1': async (remote) => {
    const { id, variantId } = await bill(remote, 'PARKED')
    await remote.call('PATCH', `/sales/${id}/items`, { items: [{ variantId, quantity: 2 }] })
  },
  'service.sale.completed.v1': (remote) => bill(remote, 'COMPLETED'),
  'service.sale.voided.v1': async (remote) =>
    post(remote, `/sales/${(await bill(remote, 'COMPLETED')).id}/void`),
  'service.sale.discarded.v1': async (remote) =>
    post(remote, `/sales/${(await bill(remote, 'PARKED')).id}/discard`),
  'service.sale.refunded.v1': async (remote) =>
    post(remote, `/sales/${(await bill(remote, 'COMPLETED')).id}/refund`),
  'service.payment.received.v1': (remote) => bill(remote, 'COMPLETED'),
  'service.stock.adjusted.v1': stocked,
  'service.stock.transferred.v1': async (remote) => {
    const { outletId: fromOutletId, variantId } = await stocked(remote)
    await post(remote, '/inventory/transfer', {
      fromOutletId,
      toOutletId: await outlet(remote),
      variantId,
      qty: 1,
    })
  },
  'service.stock.received.v1': async (remote) =>
    post(remote, '/inventory/batches', { ...(await goods(remote)), qty: 3, batchNo: named('B') }),
  'service.stock.low.v1': async (remote) => {
    const place = await stocked(remote)
    await remote.call('PUT', '/inventory/reorder', { ...place, reorderPoint: 2 })
    await post(remote, '/inventory/adjust', { ...place, qtyDelta: -4 })
  },
  'service.product.created.v1': (remote) => product(remote),
  'service.product.updated.v1': async (remote) =>
    remote.call('PATCH', `/products/${(await product(remote)).id}`, { name: named('Kopi Baru') }),
  'service.product.deleted.v1': async (remote) =>
    remote.call('DELETE', `/products/${(await product(remote)).id}`),
  'service.customer.created.v1': customer,
  'service.customer.updated.v1': async (remote) =>
    remote.call('PATCH', `/customers/${await customer(remote)}`, { name: named('Ibu Sari') }),
  'service.customer.deleted.v1': async (remote) =>
    remote.call('DELETE', `/customers/${await customer(remote)}`),
  'service.loyalty.changed.v1': async (remote) =>
    post(remote, `/customers/${await customer(remote)}/loyalty/adjust`, {
      points: 5,
      reason: 'kasir trigger',
    }),
  'service.gift_card.issued.v1': card,
  'service.gift_card.redeemed.v1': async (remote) => {
    const { code } = await card(remote)
    await bill(remote, 'COMPLETED', { payments: [{ method: 'GIFT_CARD', amount: PRICE, reference: code }] })
  },
  'service.gift_card.voided.v1': async (remote) =>
    post(remote, `/gift-cards/${(await card(remote)).id}/void`),
  'service.shift.opened.v1': shift,
  'service.shift.closed.v1': async (remote) =>
    post(remote, `/shifts/${await shift(remote)}/close`, { countedCash: 0 }),
  'service.purchase_order.ordered.v1': order,
  'service.purchase_order.received.v1': async (remote) => {
    const { id, items, variantId } = await order(remote)
    await post(remote, `/purchase-orders/${id}/receive`, {
      items: [{ itemId: items[0].id, variantId, qty: 2 }],
    })
  },
  'service.purchase_order.cancelled.v1': async (remote) =>
    post(remote, `/purchase-orders/${(await order(remote)).id}/cancel`),
  'service.kitchen.ticket_ready.v1': async (remote) => {
    const { id } = await bill(remote, 'PARKED', { orderType: 'DINE_IN' })
    for (let step = 0; step < 2; step += 1) await post(remote, `/kds/${id}/advance`)
  },
}

export { ACTS, BY_OTHERS }
