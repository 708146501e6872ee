import { newId } from '../core/ids.ts'
import { command, say, UsageError } from './command.ts'
import { requireType, throwReadable } from './listen.ts'
import { openRemote, type Remote, remoteArgs } from './remote.ts'

export const trigger = command({
  name: 'trigger',
  description: 'Cause an event of a type with a real operation in the demo workspace',
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
    ['kasir trigger service.sale.completed.v1', 'makes a sale in the demo workspace'],
    ['kasir trigger service.stock.low.v1', 'kasir listen forwards the event to your receiver'],
  ],
  run: async ({ type, ...options }) => {
    const remote = await openRemote(options)
    try {
      type Offered = { eventTypes: { type: string }[] }
      const { data } = await remote
        .call<Offered>('GET', '/webhook-subscriptions/event-types')
        .catch(throwReadable)
      const known = data.eventTypes.map((one) => one.type)
      const act = ACTS[requireType(type, known)]
      if (!act)
        throw new UsageError(
          `No command can cause ${type}. Its cause is ${BY_OTHERS[type] ?? 'outside this command'}`,
        )
      await act(remote).catch(throwReadable)
      say(`Done: ${type} is in the log of the workspace, with every other event of that operation`)
    } finally {
      await remote.close()
    }
  },
})

/** Events that no request of this command causes, each with its cause. */
const BY_OTHERS: Readonly<Record<string, string>> = {
  'service.payment.failed.v1': 'the payment partner, when a payment fails',
  'service.payment.unapplied.v1': 'the payment partner, when a payment arrives for a bill that is gone',
  'service.shift.cash_moved.v1':
    'cash taken out of a drawer (POST /shifts/{id}/cash-movements) with the approval of a manager at a till',
  'service.subscription.changed.v1':
    'paying for a plan, canceling it (POST /billing/cancel) or letting it run out, which needs a payment partner',
  'service.module.changed.v1': 'switching a module on or off (POST /modules), which needs a partner',
  'service.shipment.created.v1':
    'a new shipment (POST /delivery/shipments), which needs a fulfillment partner',
  'service.shipment.updated.v1': 'the fulfillment partner, when a shipment moves',
  'service.shipment.cancelled.v1': 'the fulfillment partner, when a shipment is canceled',
}

type Id = { id: string }
const PRICE = 15_000
/** The name of the one product that all acts sell and count, since a plan limits the number of products. */
const NAME = 'Kopi Trigger'

const uniqueName = (word: string) => `${word} ${newId('event').slice(-6)}`
const get = async <T>(remote: Remote, route: string): Promise<T> => (await remote.call<T>('GET', route)).data
const post = async <T>(remote: Remote, route: string, body: object = {}): Promise<T> =>
  (await remote.call<T>('POST', route, body)).data

const openOutlets = async (remote: Remote) => {
  const { outlets } = await get<{ outlets: (Id & { isActive: boolean })[] }>(remote, '/outlets')
  return outlets.filter(({ isActive }) => isActive).map(({ id }) => id)
}
const createOutlet = async (remote: Remote) =>
  (await post<{ outlet: Id }>(remote, '/outlets', { name: uniqueName('Trigger') })).outlet.id
/** Returns an outlet of the workspace. Acts create one only if there are too few. */
const outlet = async (remote: Remote) => (await openOutlets(remote))[0] ?? (await createOutlet(remote))
/** Returns outlets where this caller has no open shift, so an existing shift stays unchanged. */
const outletForShift = async (remote: Remote) => {
  for (const id of await openOutlets(remote)) {
    const { shift: own } = await get<{ shift: Id | null }>(remote, `/shifts/current?outletId=${id}`)
    if (own === null) return id
  }
  return createOutlet(remote)
}

type Product = Id & { name: string; variants: [Id, ...Id[]] }
const createProduct = async (remote: Remote, name: string) => {
  const body = { name, variants: [{ price: PRICE }] }
  return (await post<{ product: Product }>(remote, '/products', body)).product
}
const product = async (remote: Remote) => {
  const { products } = await get<{ products: Product[] }>(
    remote,
    `/products?active=true&q=${encodeURIComponent(NAME)}`,
  )
  return products.find(({ name }) => name === NAME) ?? (await createProduct(remote, NAME))
}
const customerGroup = async (remote: Remote) =>
  (await post<{ customerGroup: Id }>(remote, '/customer-groups', { name: uniqueName('Member') }))
    .customerGroup.id
/** Inactive, so that it changes no price. */
const priceList = async (remote: Remote) =>
  (await post<{ priceList: Id }>(remote, '/price-lists', { name: uniqueName('Harga'), isActive: false }))
    .priceList.id
const removedPriceList = async (remote: Remote) =>
  remote.call('DELETE', `/price-lists/${await priceList(remote)}`)
/** Inactive, so that no sale gets it. */
const promotion = async (remote: Remote) => {
  const body = { name: uniqueName('Promo'), kind: 'AMOUNT', amount: 1_000, isActive: false }
  return (await post<{ promotion: Id }>(remote, '/promotions', body)).promotion.id
}
const removedPromotion = async (remote: Remote) =>
  remote.call('DELETE', `/promotions/${await promotion(remote)}`)
/** A record that the operation removes afterwards. */
const removedProduct = async (remote: Remote) =>
  remote.call('DELETE', `/products/${(await createProduct(remote, uniqueName(NAME))).id}`)
const goods = async (remote: Remote) => ({
  outletId: await outlet(remote),
  variantId: (await product(remote)).variants[0].id,
})
const customer = async (remote: Remote) =>
  (await post<{ customer: Id }>(remote, '/customers', { name: uniqueName('Sari') })).customer.id
const card = async (remote: Remote, amount = PRICE) =>
  (await post<{ giftCard: Id & { code: string } }>(remote, '/gift-cards', { amount })).giftCard
const bill = async (remote: Remote, status: 'PARKED' | 'COMPLETED', more: object = {}) => {
  const { outletId, variantId } = await stocked(remote)
  const body = { outletId, items: [{ variantId, quantity: 1 }], status, ...more }
  type Sale = Id & { remaining: number; items: [Id & { variantId: string }]; payments: [Id] }
  const { sale } = await post<{ sale: Sale }>(remote, '/sales', body)
  return { ...sale, variantId }
}
const ENOUGH = 5
/** Stocks the product, so a sale also works where stock may not go below zero. */
const stocked = async (remote: Remote) => {
  const place = await goods(remote)
  type Adjusted = { level: { quantity: number } }
  const { level } = await post<Adjusted>(remote, '/inventory/adjust', { ...place, qtyDelta: ENOUGH })
  return { ...place, quantity: level.quantity }
}
const order = async (remote: Remote) => {
  const { outletId, variantId } = await goods(remote)
  const items = [{ variantId, qty: 2 }]
  type Made = { purchaseOrder: Id & { items: [Id] } }
  const { purchaseOrder } = await post<Made>(remote, '/purchase-orders', { outletId, items })
  await post(remote, `/purchase-orders/${purchaseOrder.id}/order`)
  return { ...purchaseOrder, variantId }
}
/** Opens a shift and closes it again, because an open one would block the next act. */
const shift = async (remote: Remote) => {
  const body = { outletId: await outletForShift(remote), openingFloat: 0 }
  const { shift: opened } = await post<{ shift: Id }>(remote, '/shifts/open', body)
  await post(remote, `/shifts/${opened.id}/close`, { countedCash: 0 })
}

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
    const other = (await openOutlets(remote)).find((id) => id !== fromOutletId)
    const toOutletId = other ?? (await createOutlet(remote))
    await post(remote, '/inventory/transfer', { fromOutletId, toOutletId, variantId, qty: 1 })
  },
  'service.stock_count.posted.v1': async (remote) => {
    const { outletId, variantId, quantity } = await stocked(remote)
    const { stockCount } = await post<{ stockCount: Id }>(remote, '/stock-counts', { outletId })
    const lines = [{ variantId, quantity: quantity + 1 }]
    await post(remote, `/stock-counts/${stockCount.id}/lines`, { lines })
    await post(remote, `/stock-counts/${stockCount.id}/post`)
  },
  'service.stock.received.v1': async (remote) =>
    post(remote, '/inventory/batches', { ...(await goods(remote)), qty: 3, batchNo: uniqueName('B') }),
  'service.stock.low.v1': async (remote) => {
    const { quantity, ...place } = await stocked(remote)
    // The event is announced when a level falls to its reorder point.
    if (quantity < ENOUGH) await post(remote, '/inventory/adjust', { ...place, qtyDelta: ENOUGH - quantity })
    await remote.call('PUT', '/inventory/reorder', { ...place, reorderPoint: 2 })
    await post(remote, '/inventory/adjust', { ...place, qtyDelta: 1 - Math.max(quantity, ENOUGH) })
  },
  'service.product.created.v1': removedProduct,
  'service.product.updated.v1': async (remote) =>
    remote.call('PATCH', `/products/${(await product(remote)).id}`, { description: uniqueName('Kopi Baru') }),
  'service.product.deleted.v1': removedProduct,
  'service.customer.created.v1': customer,
  'service.customer.updated.v1': async (remote) =>
    remote.call('PATCH', `/customers/${await customer(remote)}`, { name: uniqueName('Ibu Sari') }),
  'service.customer.deleted.v1': async (remote) =>
    remote.call('DELETE', `/customers/${await customer(remote)}`),
  'service.loyalty.changed.v1': async (remote) =>
    post(remote, `/customers/${await customer(remote)}/loyalty/adjust`, {
      points: 5,
      reason: 'kasir trigger',
    }),
  'service.customer_credit.changed.v1': async (remote) => {
    const customerId = await customer(remote)
    const { id, remaining: amount } = await bill(remote, 'PARKED', { customerId })
    await remote.call('PATCH', `/customers/${customerId}`, { creditLimit: amount })
    await post(remote, `/sales/${id}/payments`, { method: 'CREDIT', amount })
  },
  'service.customer_group.created.v1': customerGroup,
  'service.customer_group.updated.v1': async (remote) =>
    remote.call('PATCH', `/customer-groups/${await customerGroup(remote)}`, { name: uniqueName('Member') }),
  'service.customer_group.deleted.v1': async (remote) =>
    remote.call('DELETE', `/customer-groups/${await customerGroup(remote)}`),
  'service.price_list.created.v1': removedPriceList,
  'service.price_list.updated.v1': async (remote) => {
    const id = await priceList(remote)
    await remote.call('PATCH', `/price-lists/${id}`, { name: uniqueName('Harga') })
    await remote.call('DELETE', `/price-lists/${id}`)
  },
  'service.price_list.deleted.v1': removedPriceList,
  'service.promotion.created.v1': removedPromotion,
  'service.promotion.updated.v1': async (remote) => {
    const id = await promotion(remote)
    await remote.call('PATCH', `/promotions/${id}`, { name: uniqueName('Promo') })
    await remote.call('DELETE', `/promotions/${id}`)
  },
  'service.promotion.deleted.v1': removedPromotion,
  'service.gift_card.issued.v1': (remote) => card(remote),
  'service.gift_card.redeemed.v1': async (remote) => {
    const { id, remaining: amount } = await bill(remote, 'PARKED')
    const { code } = await card(remote, amount)
    await post(remote, `/sales/${id}/payments`, { method: 'GIFT_CARD', amount, reference: code })
  },
  'service.gift_card.voided.v1': async (remote) =>
    post(remote, `/gift-cards/${(await card(remote)).id}/void`),
  'service.sale.payment_corrected.v1': async (remote) => {
    const { id, payments } = await bill(remote, 'COMPLETED')
    await post(remote, `/sales/${id}/payments/${payments[0].id}/correct`, { method: 'QRIS' })
  },
  'service.shift.opened.v1': shift,
  'service.shift.closed.v1': shift,
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
