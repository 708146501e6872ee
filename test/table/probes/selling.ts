import type { Api } from '../../support/api.ts'
import {
  fresh,
  makeCard,
  makeCustomer,
  makeModifier,
  makeModifierGroup,
  makeOutlet,
  makePackedVariant,
  makeProduct,
  makeSale,
  makeTable,
  makeVariant,
  openBill,
  openShift,
} from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { byId, type Make } from '../request.ts'

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

/** A customer who owes 50,000. */
async function makeDebtor(api: Api): Promise<string> {
  const id = await makeCustomer(api, { phone: '081234567890', creditLimit: 1_000_000 })
  const items = [{ variantId: await makeVariant(api, { price: 100_000 }), quantity: 1 }]
  const bill = await openBill(api, { outletId: await makeOutlet(api), items, customerId: id })
  done(await api.post(`/sales/${bill.id}/payments`, { method: 'CREDIT', amount: 50_000 }))
  return id
}

const makeGroup = async (api: Api): Promise<string> =>
  done(await api.post('/customer-groups', { name: fresh('Group') })).customerGroup.id
const makePriceList = async (api: Api): Promise<string> =>
  done(await api.post('/price-lists', { name: fresh('List'), isActive: false })).priceList.id

/** Every id that a price list can name. */
const listFields = async (api: Api) => ({
  outletIds: [await makeOutlet(api)],
  customerGroupIds: [await makeGroup(api)],
  entries: [
    {
      categoryId: done(await api.post('/categories', { name: fresh('Category') })).category.id,
      adjustBps: -500,
    },
    { variantId: await makeVariant(api), price: 9_000 },
  ],
})

/** Every id that a promotion can name. */
const promotionFields = async (api: Api) => {
  const variantId = await makeVariant(api)
  const categoryId = done(await api.post('/categories', { name: fresh('Category') })).category.id
  return {
    outletIds: [await makeOutlet(api)],
    customerGroupIds: [await makeGroup(api)],
    variantIds: [variantId],
    categoryIds: [categoryId],
    bundle: [
      { variantId, quantity: 1 },
      { categoryId, quantity: 1 },
    ],
  }
}
const promotionBody = async (api: Api) => ({
  name: fresh('Promo'),
  kind: 'BUNDLE',
  bundlePrice: 1_000,
  isActive: false,
  ...(await promotionFields(api)),
})
const makePromotion = async (api: Api): Promise<string> =>
  done(await api.post('/promotions', await promotionBody(api))).promotion.id

export const selling: Record<string, Make> = {
  'GET /promotions': async (api) => {
    await makePromotion(api)
    return {}
  },
  'POST /promotions': async (api) => ({ body: await promotionBody(api) }),
  'GET /promotions/{id}': byId(makePromotion),
  'PATCH /promotions/{id}': async (api) => ({
    params: { id: await makePromotion(api) },
    body: { priority: 5, ...(await promotionFields(api)) },
  }),
  'DELETE /promotions/{id}': byId(makePromotion),
  'GET /customer-groups': async (api) => {
    await makeGroup(api)
    return {}
  },
  'POST /customer-groups': async () => ({ body: { name: fresh('Group') } }),
  'GET /customer-groups/{id}': byId(makeGroup),
  'PATCH /customer-groups/{id}': byId(makeGroup, { body: { name: 'Renamed' } }),
  'DELETE /customer-groups/{id}': byId(makeGroup),
  'POST /customer-groups/{id}/assign': async (api) => ({
    params: { id: await makeGroup(api) },
    body: { customerIds: [await makeCustomer(api)] },
  }),
  'GET /price-lists': async (api) => {
    await makePriceList(api)
    return {}
  },
  'POST /price-lists': async (api) => ({
    body: {
      name: fresh('List'),
      isActive: false,
      ...(await listFields(api)),
    },
  }),
  'GET /price-lists/{id}': byId(makePriceList),
  'PATCH /price-lists/{id}': async (api) => ({
    params: { id: await makePriceList(api) },
    body: { priority: 5, ...(await listFields(api)) },
  }),
  'DELETE /price-lists/{id}': byId(makePriceList),
  'POST /payments/qris': async (api) => ({
    body: { transactionId: (await openBill(api)).id, method: 'qris' },
  }),
  'GET /payments/qris/{sessionId}': async (api) => {
    const { sessionId } = done(await api.post('/payments/qris', { transactionId: (await openBill(api)).id }))
    return { params: { sessionId } }
  },
  'GET /payments/overview': async () => ({}),
  'GET /sales': async (api) => {
    const outletId = await makeOutlet(api)
    const query = {
      outletId,
      shiftId: await openShift(api, outletId),
      tableId: (await makeTable(api, outletId)).id,
      customerId: await makeCustomer(api),
    }
    const categoryId = done(await api.post('/categories', { name: 'Rows' })).category.id
    const product = await makeProduct(api, { categoryId })
    const items = [{ variantId: product.variants[0].id, quantity: 1 }]
    done(await api.post('/sales', { ...query, items, status: 'COMPLETED' }))
    const completed = { completedFrom: dayAgo(1), completedTo: dayAgo(-1) }
    return {
      query: { ...query, ...completed, productId: product.id, categoryId, cashierId: api.workspace.keyId },
    }
  },
  'POST /sales': async (api) => {
    const outletId = await makeOutlet(api)
    const groupId = await makeModifierGroup(api)
    const card = await makeCard(api)
    const { variantId, packId } = await makePackedVariant(api)
    return {
      body: {
        outletId,
        shiftId: await openShift(api, outletId),
        customerId: await makeCustomer(api),
        tableId: (await makeTable(api, outletId)).id,
        items: [
          {
            variantId,
            packId,
            quantity: 2,
            modifiers: [{ name: 'Oat milk', price: 500, modifierId: await makeModifier(api, groupId) }],
          },
        ],
        payments: [{ method: 'GIFT_CARD', amount: 1_000, reference: card.code }],
        note: 'Probe',
      },
    }
  },
  'GET /sales/{id}': byId(async (api) => (await openBill(api)).id),
  'GET /sales/{id}/receipt': byId(async (api) => (await openBill(api)).id),
  'POST /sales/{id}/receipt-link': byId(async (api) => (await makeSale(api)).id),
  'DELETE /sales/{id}/receipt-link': byId(async (api) => {
    const { id } = await makeSale(api)
    done(await api.post(`/sales/${id}/receipt-link`))
    return id
  }),
  'PATCH /sales/{id}/items': async (api) => {
    const { variantId, packId } = await makePackedVariant(api)
    const { id, items } = await openBill(api, { items: [{ variantId, packId, quantity: 2 }] })
    const [line] = items
    const outletId = done(await api.get(`/sales/${id}`)).sale.outletId
    const customerId = await makeCustomer(api)
    const groupId = await makeModifierGroup(api)
    const modifiers = [{ name: 'Oat milk', price: 500, modifierId: await makeModifier(api, groupId) }]
    const lines = [{ id: line?.id, variantId, packId, quantity: 3, modifiers }]
    return {
      params: { id },
      body: { customerId, tableId: (await makeTable(api, outletId)).id, items: lines },
    }
  },
  'POST /sales/{id}/payments': byId(async (api) => (await openBill(api)).id, {
    body: { method: 'CASH', amount: 1_000 },
  }),
  'POST /sales/{id}/payments/{paymentId}/correct': async (api) => {
    const { id } = await makeSale(api)
    const { payments } = done(await api.get(`/sales/${id}`)).sale
    return { params: { id, paymentId: payments[0].id }, body: { method: 'QRIS', reference: 'A 12' } }
  },
  'POST /sales/{id}/settle': async (api) => {
    const { id } = await openBill(api, { items: [{ variantId: await makeVariant(api), quantity: 1 }] })
    return { params: { id }, body: { payments: [{ method: 'CASH', amount: 20_000 }] } }
  },
  'POST /sales/{id}/void': byId(async (api) => (await makeSale(api)).id, { body: { reason: 'Mistyped' } }),
  'POST /sales/{id}/discard': byId(async (api) => (await openBill(api)).id, { body: { reason: 'Left' } }),
  'POST /sales/{id}/refund': async (api) => {
    const { id, items } = await makeSale(api)
    return {
      params: { id },
      body: { lines: [{ transactionItemId: items[0]?.id, qty: 1 }], reason: 'Broken' },
    }
  },
  'POST /sales/{id}/split': async (api) => {
    const { id, items } = await openBill(api)
    const outletId = done(await api.get(`/sales/${id}`)).sale.outletId
    const tableId = (await makeTable(api, outletId)).id
    return { params: { id }, body: { items: [{ id: items[0]?.id, quantity: 1 }], tableId, note: 'Probe' } }
  },
  'POST /sales/{id}/merge': async (api) => {
    const { id, items } = await openBill(api)
    const { outletId } = done(await api.get(`/sales/${id}`)).sale
    const lines = [{ variantId: items[0]?.variantId, quantity: 1 }]
    const other = done(await api.post('/sales', { outletId, items: lines, status: 'PARKED' })).sale
    return { params: { id }, body: { saleId: other.id } }
  },
  'GET /customers': async () => ({}),
  'POST /customers': async (api) => ({
    body: { name: fresh('Customer'), groupIds: [await makeGroup(api)] },
  }),
  'GET /customers/{id}': byId(makeCustomer),
  'PATCH /customers/{id}': async (api) => ({
    params: { id: await makeCustomer(api) },
    body: { name: 'Renamed', groupIds: [await makeGroup(api)] },
  }),
  'DELETE /customers/{id}': byId(makeCustomer),
  'GET /customers/{id}/loyalty': byId(makeCustomer),
  'POST /customers/{id}/loyalty/adjust': byId(makeCustomer, { body: { points: 5, reason: 'Birthday' } }),
  'POST /customers/{id}/loyalty/redeem': async (api) => {
    const id = await makeCustomer(api)
    done(await api.post(`/customers/${id}/loyalty/adjust`, { points: 50 }))
    return { params: { id }, body: { points: 5 } }
  },
  'GET /customers/{id}/credit': byId(makeDebtor),
  'GET /customers/{id}/credit/reminder': byId(makeDebtor),
  'POST /customers/{id}/credit/payments': async (api) => ({
    params: { id: await makeDebtor(api) },
    body: { method: 'CASH', amount: 1, outletId: await makeOutlet(api) },
  }),
  'GET /gift-cards': async (api) => {
    const customerId = await makeCustomer(api)
    done(await api.post('/gift-cards', { amount: 5_000, customerId }))
    return { query: { customerId } }
  },
  'POST /gift-cards': async (api) => ({
    body: { amount: 50_000, customerId: await makeCustomer(api), note: 'Probe' },
  }),
  'GET /gift-cards/{code}': async (api) => ({ params: { code: (await makeCard(api)).code } }),
  'POST /gift-cards/{id}/void': byId(async (api) => (await makeCard(api)).id),
  'GET /shifts': async (api) => {
    const outletId = await makeOutlet(api)
    await openShift(api, outletId)
    return { query: { outletId } }
  },
  'GET /shifts/{id}': byId(async (api) => openShift(api, await makeOutlet(api))),
  'GET /shifts/current': async (api) => ({ query: { outletId: await makeOutlet(api) } }),
  'POST /shifts/open': async (api) => ({ body: { outletId: await makeOutlet(api), openingFloat: 100_000 } }),
  'POST /shifts/{id}/cash-movements': byId(async (api) => openShift(api, await makeOutlet(api)), {
    body: { type: 'PAID_IN', amount: 10_000 },
  }),
  'POST /shifts/{id}/close': byId(async (api) => openShift(api, await makeOutlet(api)), {
    body: { countedCash: 0 },
  }),
}
