import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs } from '../../../../src/core/time.ts'
import { expires } from '../../../../src/jobs.ts'
import { sweep } from '../../../../src/platform/jobs/sweep.ts'
import type { Api } from '../../../support/api.ts'
import {
  fresh,
  makeCustomer,
  makeModifier,
  makeModifierGroup,
  makeOutlet,
  makeTable,
  openShift,
  openShop,
  type Shop,
  setNegativeStock,
  stock,
} from '../../../support/build.ts'
import { browser, memberOf } from '../../../support/clients.ts'
import { assertInvariants, done, refusalOf, saleOf } from '../../../support/expect.ts'
import { enrolAgain, enrolTill, memberWithPin, signedInAt } from '../../../support/pins.ts'
import { levelOf } from '../../../support/read.ts'
import { acme, as, deps, globex, useService } from '../../../support/service.ts'

useService()

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const agoMs = (ms: number) => addMs(deps().clock.now(), -ms)

let shop: Shop
beforeAll(async () => {
  shop = await openShop(acme())
})
afterAll(() => assertInvariants(deps().db))

type Fields = Record<string, unknown>
const bodyOf = (offline: Fields = {}, fields: Fields = {}) => ({
  outletId: shop.outletId,
  items: [{ variantId: shop.latte, quantity: 2, unitPrice: 15_000 }],
  payments: [{ method: 'CASH', amount: 30_000, tendered: 50_000 }],
  ...fields,
  offline: {
    ref: fresh('TILL-3'),
    soldAt: agoMs(HOUR_MS),
    terms: { taxRateBps: 0, taxInclusive: false },
    printedTotal: 30_000,
    ...offline,
  },
})
const send = (body: unknown, api: Api = acme()) => api.post('/sales', body)
/** As a till does: what could not be served on a busy machine is sent again. */
async function insist(body: unknown, api: Api) {
  for (;;) {
    const answer = await send(body, api)
    if (answer.status !== 503) return answer
  }
}

test('an offline sale is completed at the time it was sold, and numbered on the day it arrives', async () => {
  const body = bodyOf({ soldAt: agoMs(3 * DAY_MS) })
  await stock(acme(), shop.outletId, shop.latte, 20)
  const level = (await levelOf(acme(), shop.outletId, shop.latte)) ?? 0
  const sale = saleOf(await send(body))
  expect(sale).toMatchObject({
    status: 'COMPLETED',
    total: 30_000,
    changeTotal: 20_000,
    completedAt: body.offline.soldAt,
    offline: { ref: body.offline.ref, soldAt: body.offline.soldAt },
    payments: [{ method: 'CASH', amount: 30_000, paidAt: body.offline.soldAt }],
  })
  expect(sale.createdAt > addMs(body.offline.soldAt, 2 * DAY_MS)).toBe(true)
  expect(await levelOf(acme(), shop.outletId, shop.latte)).toBe(level - 2)
  const online = saleOf(
    await send({
      outletId: shop.outletId,
      items: [{ variantId: shop.latte, quantity: 1 }],
      status: 'COMPLETED',
    }),
  )
  expect(online.offline).toBeNull()
  expect(online.number.slice(0, 6)).toBe(sale.number.slice(0, 6))
})

test('a report of a past day counts an offline sale that arrives later', async () => {
  const soldAt = agoMs(5 * DAY_MS)
  const ofDay = async () => {
    const { data } = await acme().get(
      `/reports/summary?outletId=${shop.outletId}&from=${addMs(soldAt, -1)}&to=${addMs(soldAt, 1)}`,
    )
    return data.summary ?? data
  }
  const before = await ofDay()
  saleOf(await send(bodyOf({ soldAt })))
  const after = await ofDay()
  expect(after.gross - before.gross).toBe(30_000)
})

test('a repeated reference answers the stored sale with 200, also without a key, and another body is 409', async () => {
  const body = bodyOf()
  const first = await send(body)
  const again = await send(body)
  expect([first.status, again.status]).toEqual([201, 200])
  expect(again.data.sale).toEqual(first.data.sale)
  const other = await send({ ...body, note: 'another note' })
  expect(refusalOf(other)).toEqual({ status: 409, code: 'CONFLICT', param: 'offline.ref' })
  expect(other.error?.message).toContain(body.offline.ref)
})

test('a repetition that comes after 31 days still finds the stored sale', async () => {
  const body = bodyOf({ soldAt: agoMs(29 * DAY_MS) })
  const { data } = await send(body)
  await deps()
    .db.updateTable('offlineSales')
    .set({ createdAt: agoMs(40 * DAY_MS) })
    .where('ref', '=', body.offline.ref)
    .execute()
  const late = bodyOf({ soldAt: agoMs(31 * DAY_MS) })
  expect(refusalOf(await send(late))).toMatchObject({ status: 400, param: 'offline.soldAt' })
  expect((await send(body)).data.sale.id).toBe(data.sale.id)
})

test('fifty sends of one reference from two tills make one sale', async () => {
  const body = bodyOf()
  const level = (await levelOf(acme(), shop.outletId, shop.latte)) ?? 0
  const { api: cashier } = await memberOf(acme(), 'CASHIER')
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => insist(body, index % 2 === 0 ? acme() : cashier)),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(49)
  expect(new Set(answers.map(({ data }) => data.sale.id)).size).toBe(1)
  expect(await levelOf(acme(), shop.outletId, shop.latte)).toBe(level - 2)
})

test('two workspaces use the same reference without noticing each other', async () => {
  const body = bodyOf()
  saleOf(await send(body))
  const elsewhere = await openShop(globex())
  const twin = {
    ...body,
    outletId: elsewhere.outletId,
    items: [{ variantId: elsewhere.latte, quantity: 2, unitPrice: 15_000 }],
  }
  expect((await send(twin, globex())).status).toBe(201)
})

test('a sale keeps the tax that was printed, although the outlet has another rate now', async () => {
  const body = bodyOf(
    { terms: { taxRateBps: 1_100 }, printedTotal: 33_300 },
    { payments: [{ method: 'CASH', amount: 33_300 }] },
  )
  const { data } = await send(body)
  expect(data.sale).toMatchObject({ taxRateBps: 1_100, taxTotal: 3_300, total: 33_300 })
  expect(data.warnings).toEqual([
    {
      code: 'TERMS_CHANGED',
      field: 'offline.terms.taxRateBps',
      message: 'The outlet has changed taxRateBps since this sale; the sale keeps what was printed',
    },
  ])
})

test('a total that differs by one rupiah from the printed one is refused with both figures', async () => {
  const answer = await send(bodyOf({ printedTotal: 30_001 }))
  expect(refusalOf(answer)).toEqual({ status: 422, code: 'OFFLINE_TOTAL', param: 'offline.printedTotal' })
  expect(answer.error?.details).toEqual({ computed: 30_000, printed: 30_001 })
})

test('a changed price, deactivated goods and blocked stock refuse nothing, and are reported', async () => {
  const api = acme()
  const { data } = await api.post('/products', { name: fresh('Roti'), variants: [{ price: 9_000 }] })
  const [variant] = data.product.variants
  await api.patch(`/products/${data.product.id}`, { isActive: false })
  await setNegativeStock(api, 'BLOCK')
  const answer = await send(
    bodyOf(
      { printedTotal: 8_000 },
      { items: [{ variantId: variant.id, quantity: 1, unitPrice: 8_000 }], payments: undefined },
    ),
  )
  await setNegativeStock(api, 'ALLOW')
  expect(saleOf(answer)).toMatchObject({ status: 'COMPLETED', total: 8_000, paidTotal: 8_000 })
  expect(
    answer.data.warnings.map(({ code, field }: { code: string; field: string }) => [code, field]),
  ).toEqual([
    ['PRICE_CHANGED', 'items[0].unitPrice'],
    ['NO_LONGER_SOLD', 'items[0].variantId'],
  ])
  expect(answer.data.stockWarnings).toMatchObject([{ reason: 'SHORT', requested: 1, level: -1 }])
})

test('a sale of a customer who was erased since is stored without the customer and the address, with a warning', async () => {
  const customerId = await makeCustomer(acme())
  saleOf(await acme().post('/sales', { ...bodyOf(), offline: undefined, customerId }))
  done(await acme().delete(`/customers/${customerId}`))
  const body = bodyOf({}, { customerId, deliveryDraft: { address: 'Jl. Mawar 1' } })
  const answer = await send(body)
  expect(saleOf(answer)).toMatchObject({
    status: 'COMPLETED',
    customerId: null,
    customer: null,
    deliveryDraft: null,
    total: 30_000,
    pointsEarned: 0,
  })
  expect(answer.data.warnings).toEqual([
    {
      code: 'CUSTOMER_ERASED',
      field: 'customerId',
      message: "This customer's data was erased after the sale; the sale is stored without the customer",
    },
  ])
  const again = await send(body)
  expect([again.status, saleOf(again).id]).toEqual([200, saleOf(answer).id])
  const unknown = await send(bodyOf({}, { customerId: 'cus_00000000000000000000000000' }))
  expect(refusalOf(unknown)).toEqual({ status: 404, code: 'NOT_FOUND', param: 'customerId' })
})

test('a sale whose member, table and modifier were removed since is stored for the sender, with a warning for each', async () => {
  const seller = await memberWithPin(acme(), 'CASHIER')
  const till = await enrolTill(acme(), { outletId: shop.outletId })
  await signedInAt(till, seller)
  const cashier = await signedInAt(till, await memberWithPin(acme(), 'CASHIER'))
  const sellersShift = await openShift(seller.api, shop.outletId)
  await openShift(cashier, shop.outletId)
  const { id: tableId } = await makeTable(acme(), shop.outletId)
  const groupId = await makeModifierGroup(acme())
  const alone = await makeModifier(acme(), groupId, { name: 'Less ice', price: 0 })
  const otherGroupId = await makeModifierGroup(acme())
  const grouped = await makeModifier(acme(), otherGroupId, { name: 'Boba', price: 0 })
  const kept = await makeModifier(acme(), groupId, { name: 'Hot', price: 0 })
  const modifiers = [
    { name: 'Less ice', price: 0, modifierId: alone },
    { name: 'Boba', price: 0, modifierId: grouped },
    { name: 'Hot', price: 0, modifierId: kept },
  ]
  const items = [{ variantId: shop.latte, quantity: 2, unitPrice: 15_000, modifiers }]
  const fields = { items, tableId, orderType: 'DINE_IN' }
  const body = bodyOf({ soldBy: seller.id }, fields)
  done(await acme().delete(`/members/${seller.id}`))
  done(await acme().delete(`/tables/${tableId}`))
  done(await acme().delete(`/modifiers/${groupId}/items/${alone}`))
  done(await acme().delete(`/modifiers/${otherGroupId}`))
  const { api: elsewhere } = await memberOf(acme(), 'CASHIER')
  expect(refusalOf(await send(body, elsewhere))).toEqual({
    status: 403,
    code: 'FORBIDDEN',
    param: 'offline.soldBy',
  })
  const answer = await send(body, cashier)
  const sale = saleOf(answer)
  expect(sale).toMatchObject({ status: 'COMPLETED', total: 30_000, tableId: null, table: null })
  // The money is in the drawer of the seller, whose shift is still open, and not in that of the sender.
  expect([sale.shiftId, sale.payments[0].shiftId]).toEqual([sellersShift, sellersShift])
  expect(sale.items[0].modifiers).toMatchObject([
    { name: 'Less ice', modifierId: null },
    { name: 'Boba', modifierId: null },
    { name: 'Hot', modifierId: kept },
  ])
  expect(
    answer.data.warnings.map(({ code, field }: { code: string; field: string }) => [code, field]),
  ).toEqual([
    ['RECORD_REMOVED', 'offline.soldBy'],
    ['RECORD_REMOVED', 'tableId'],
    ['RECORD_REMOVED', 'items[0].modifiers[0].modifierId'],
    ['RECORD_REMOVED', 'items[0].modifiers[1].modifierId'],
  ])
  const again = await send(body, cashier)
  expect([again.status, saleOf(again).id]).toEqual([200, sale.id])
})

test('a sale by a till that was away since before its table was removed is accepted, 33 days after the removal', async () => {
  const { id: tableId } = await makeTable(acme(), shop.outletId)
  const body = bodyOf({ soldAt: agoMs(24 * DAY_MS) }, { tableId, orderType: 'DINE_IN' })
  done(await acme().delete(`/tables/${tableId}`))
  await deps()
    .db.updateTable('catalogueChanges')
    .set({ updatedAt: agoMs(33 * DAY_MS) })
    .where('id', '=', tableId)
    .execute()
  await sweep(deps(), expires)
  const answer = await send(body)
  expect([answer.status, saleOf(answer).tableId]).toEqual([201, null])
  expect(answer.data.warnings).toMatchObject([{ code: 'RECORD_REMOVED', field: 'tableId' }])
})

test('a table and a modifier that never existed are refused with 404', async () => {
  const table = await send(bodyOf({}, { tableId: 'tbl_01JZZZZZZZZZZZZZZZZZZZZZZZ' }))
  expect(refusalOf(table)).toEqual({ status: 404, code: 'NOT_FOUND', param: 'tableId' })
  const modifiers = [{ name: 'Hot', price: 0, modifierId: 'mod_01JZZZZZZZZZZZZZZZZZZZZZZZ' }]
  const items = [{ variantId: shop.latte, quantity: 2, unitPrice: 15_000, modifiers }]
  expect(refusalOf(await send(bodyOf({}, { items })))).toEqual({
    status: 404,
    code: 'NOT_FOUND',
    param: 'items[0].modifiers[0].modifierId',
  })
})

test('goods that need a batch are refused where no batch holds them', async () => {
  const { data } = await acme().post('/products', {
    name: fresh('Amoxicillin'),
    requiresBatch: true,
    variants: [{ price: 2_000 }],
  })
  const answer = await send(
    bodyOf(
      { printedTotal: 2_000 },
      {
        items: [{ variantId: data.product.variants[0].id, quantity: 1, unitPrice: 2_000 }],
        payments: undefined,
      },
    ),
  )
  expect(refusalOf(answer)).toMatchObject({ status: 422, param: 'items[0].quantity' })
})

test('a manager sends the sale of another member, who is its cashier; a cashier may not', async () => {
  const { id: sellerId, api: seller } = await memberOf(acme(), 'CASHIER')
  const { api: manager } = await memberOf(acme(), 'MANAGER')
  const { api: cashier } = await memberOf(acme(), 'CASHIER')
  const shiftId = await openShift(seller, shop.outletId)
  const sent = saleOf(await send(bodyOf({ soldBy: sellerId }), manager))
  expect(sent).toMatchObject({ cashierId: sellerId, shiftId, payments: [{ shiftId }] })
  expect(refusalOf(await send(bodyOf({ soldBy: sellerId }), cashier))).toEqual({
    status: 403,
    code: 'FORBIDDEN',
    param: 'offline.soldBy',
  })
  const stranger = await send(bodyOf({ soldBy: 'mem_01JZZZZZZZZZZZZZZZZZZZZZZZ' }), manager)
  expect(refusalOf(stranger)).toEqual({ status: 404, code: 'NOT_FOUND', param: 'offline.soldBy' })
})

test('a key that was just used sends no offline sale after it was revoked', async () => {
  const { data } = await acme().post('/api-keys', { name: 'Till' })
  const till = as(data.key)
  expect((await send(bodyOf(), till)).status).toBe(201)
  expect((await acme().delete(`/api-keys/${data.apiKey.id}`)).status).toBe(200)
  expect(refusalOf(await send(bodyOf(), till))).toEqual({ status: 401, code: 'AUTH_REQUIRED' })
})

test('a key that was just used sends no sale of another member after its maker became a cashier', async () => {
  const other = await memberOf(acme(), 'CASHIER')
  const [maker] = [await memberOf(acme(), 'OWNER'), await memberOf(acme(), 'OWNER')]
  const { data } = await maker.api.post('/api-keys', { name: 'Till' })
  const till = as(data.key)
  const ofOther = () => send(bodyOf({ soldBy: other.id }), till)
  expect((await ofOther()).status).toBe(201)
  expect((await acme().patch(`/members/${maker.id}`, { role: 'CASHIER' })).status).toBe(200)
  expect(await ofOther()).toMatchObject({ status: 403, error: { param: 'offline.soldBy' } })
  expect((await send(bodyOf(), till)).status).toBe(201)
})

test('from a till a cashier sends the sales of members who used a PIN there in the last 30 days, and of no others', async () => {
  const till = await enrolTill(acme(), { outletId: shop.outletId })
  const other = await enrolTill(acme(), { outletId: shop.outletId })
  const [seller, sender, stranger] = [
    await memberWithPin(acme(), 'CASHIER'),
    await memberWithPin(acme(), 'CASHIER'),
    await memberWithPin(acme(), 'CASHIER'),
  ]
  await signedInAt(till, seller)
  await signedInAt(other, stranger)
  const cashier = await signedInAt(till, sender)
  const refused = { status: 403, code: 'FORBIDDEN', param: 'offline.soldBy' }
  const soldBy = { soldBy: seller.id }
  expect(saleOf(await send(bodyOf(soldBy), cashier)).cashierId).toBe(seller.id)
  expect(refusalOf(await send(bodyOf({ soldBy: stranger.id }), cashier))).toEqual(refused)
  expect(refusalOf(await send(bodyOf(soldBy), sender.api))).toEqual(refused)
  // A password opens the same till.
  expect((await send(bodyOf(soldBy), browser(`${till.cookie}; ${sender.cookie}`))).status).toBe(201)
  const usedAt = (ms: number) =>
    deps()
      .db.updateTable('tillMembers')
      .set({ lastUsedAt: agoMs(ms) })
      .where('memberId', '=', seller.id)
      .execute()
  await usedAt(30 * DAY_MS - HOUR_MS)
  expect((await send(bodyOf(soldBy), cashier)).status).toBe(201)
  await usedAt(30 * DAY_MS + HOUR_MS)
  expect(refusalOf(await send(bodyOf(soldBy), cashier))).toEqual(refused)
  await signedInAt(till, seller)
  const stored = bodyOf(soldBy)
  expect((await send(stored, cashier)).status).toBe(201)
  done(await acme().delete(`/tills/${till.id}`))
  const untilled = browser(`${till.cookie}; ${sender.cookie}`)
  expect(refusalOf(await send(bodyOf(soldBy), untilled))).toEqual(refused)
  // What was stored before is answered as before.
  expect((await send(stored, untilled)).status).toBe(200)
})

test('a till that is enrolled again at its outlet sends the sales that it queued before', async () => {
  const till = await enrolTill(acme(), { outletId: shop.outletId })
  const [seller, sender] = [await memberWithPin(acme(), 'CASHIER'), await memberWithPin(acme(), 'CASHIER')]
  await signedInAt(till, seller)
  const again = await enrolAgain(acme(), till)
  const cashier = await signedInAt(again, sender)
  expect(saleOf(await send(bodyOf({ soldBy: seller.id }), cashier)).cashierId).toBe(seller.id)
  const elsewhere = await enrolAgain(acme(), again, await makeOutlet(acme()))
  const moved = await signedInAt(elsewhere, sender)
  expect(refusalOf(await send(bodyOf({ soldBy: seller.id }), moved))).toEqual({
    status: 403,
    code: 'FORBIDDEN',
    param: 'offline.soldBy',
  })
})

test('one reference from two tills at the same moment is one sale, whichever member sends it', async () => {
  const seller = await memberWithPin(acme(), 'CASHIER')
  const tills: Api[] = []
  for (let n = 0; n < 2; n += 1)
    tills.push(await signedInAt(await enrolTill(acme(), { outletId: shop.outletId }), seller))
  const body = bodyOf({ soldBy: seller.id })
  const other = { ...body, note: 'another body' }
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => insist(n % 5 === 4 ? other : body, tills[n % 2] as Api)),
  )
  const created = answers.filter(({ status }) => status === 201)
  expect(created).toHaveLength(1)
  // Whichever body came first is the sale; the other one is refused each time.
  const isOther = created[0]?.data.sale.note === 'another body'
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    ...Array(isOther ? 9 : 39).fill(200),
    201,
    ...Array(isOther ? 40 : 10).fill(409),
  ])
  const rows = await deps()
    .db.selectFrom('sales')
    .select('id')
    .where('offlineRef', '=', body.offline.ref)
    .execute()
  expect(rows).toEqual([{ id: created[0]?.data.sale.id }])
})

test('a missing term is the present value of the outlet, and an unchanged one gives no warning', async () => {
  const taxed = await openShop(acme(), { taxRateBps: 1_000, taxInclusive: false })
  const at = (terms: object, printedTotal: number) =>
    send(
      bodyOf(
        { terms, printedTotal },
        {
          outletId: taxed.outletId,
          items: [{ variantId: taxed.latte, quantity: 2, unitPrice: 15_000 }],
          payments: undefined,
        },
      ),
    )
  const { data } = await at({}, 33_000)
  expect([data.sale.taxRateBps, data.sale.taxInclusive, data.warnings]).toEqual([1_000, false, []])
  const inclusive = await at({ taxInclusive: true }, 30_000)
  expect(inclusive.data.sale).toMatchObject({ taxRateBps: 1_000, taxInclusive: true, total: 30_000 })
  expect(inclusive.data.warnings).toMatchObject([{ field: 'offline.terms.taxInclusive' }])
  expect((await at({ taxRateBps: 1_000, taxInclusive: false }, 33_000)).data.warnings).toEqual([])
  expect(refusalOf(await at({}, 32_999))).toMatchObject({ status: 422, code: 'OFFLINE_TOTAL' })
})

test('a sale at a table is no work for the kitchen, and a table that is inactive meanwhile does not refuse it', async () => {
  const table = await makeTable(acme(), shop.outletId)
  done(await acme().patch(`/tables/${table.id}`, { isActive: false }))
  const sale = saleOf(await send(bodyOf({}, { tableId: table.id, orderType: 'DINE_IN' })))
  expect(sale).toMatchObject({ tableId: table.id, orderType: 'DINE_IN' })
  expect(sale.items[0].kitchenStatus).toBe('SERVED')
  const board = await acme().get(`/kds?outletId=${shop.outletId}`)
  expect(board.text).not.toContain(sale.id)
  expect(refusalOf(await send(bodyOf({}, { tableId: 'tbl_unknown' })))).toMatchObject({
    status: 404,
    param: 'tableId',
  })
})

test('the margin knows the cost of a sale, however far ahead or behind the clock of its till was', async () => {
  const cost = async () => {
    const to = addMs(deps().clock.now(), HOUR_MS)
    const { products } = done(await acme().get(`/reports/margin?from=${agoMs(29 * DAY_MS)}&to=${to}`))
    return products.find(({ name }: { name: string }) => name === 'Tea')?.cost ?? 0
  }
  const { product } = done(
    await acme().post('/products', { name: 'Tea', variants: [{ price: 15_000, cost: 6_000 }] }),
  )
  const variantId = product.variants[0].id
  await stock(acme(), shop.outletId, variantId, 100)
  const items = [{ variantId, quantity: 2, unitPrice: 15_000 }]
  let expected = 0
  for (const soldAt of [
    agoMs(-4 * 60_000),
    agoMs(0),
    agoMs(14 * 60_000),
    agoMs(16 * 60_000),
    agoMs(9 * DAY_MS),
  ]) {
    saleOf(await send(bodyOf({ soldAt }, { items })))
    expected += 12_000
    expect(await cost()).toBe(expected)
  }
})

test('a sale of a shift that was closed meanwhile is booked to the open shift of its seller, else to none', async () => {
  const { api: cashier } = await memberOf(acme(), 'CASHIER')
  const closed = await openShift(cashier, shop.outletId)
  await cashier.post(`/shifts/${closed}/close`, { countedCash: 0 })
  const none = saleOf(await send(bodyOf({}, { shiftId: closed }), cashier))
  expect([none.shiftId, none.payments[0].shiftId]).toEqual([null, null])
  const next = await openShift(cashier, shop.outletId)
  const moved = saleOf(await send(bodyOf({}, { shiftId: closed }), cashier))
  expect([moved.shiftId, moved.payments[0].shiftId]).toEqual([next, next])
})

test.each([
  ['31 days old', () => bodyOf({ soldAt: agoMs(31 * DAY_MS) }), 400, 'offline.soldAt'],
  ['from the future', () => bodyOf({ soldAt: agoMs(-6 * 60_000) }), 400, 'offline.soldAt'],
  ['with unknown terms', () => bodyOf({ terms: { taxRate: 11 } }), 400, 'offline.terms.taxRate'],
  ['without terms', () => bodyOf({ terms: undefined }), 400, 'offline.terms'],
  ['with a reference of 41 characters', () => bodyOf({ ref: 'x'.repeat(41) }), 400, 'offline.ref'],
  ['without a reference', () => bodyOf({ ref: '' }), 400, 'offline.ref'],
  ['that is an open bill', () => bodyOf({}, { status: 'PARKED' }), 400, 'status'],
  [
    'without the printed price',
    () => bodyOf({}, { items: [{ variantId: shop.latte, quantity: 2 }] }),
    400,
    'items[0].unitPrice',
  ],
  [
    'paid by a gift card',
    () => bodyOf({}, { payments: [{ method: 'GIFT_CARD', amount: 30_000, reference: 'X' }] }),
    400,
    'payments[0].method',
  ],
  [
    'with a payment that is pending',
    () => bodyOf({}, { payments: [{ method: 'QRIS', amount: 30_000, status: 'PENDING' }] }),
    400,
    'payments[0].status',
  ],
  ['with a discount code', () => bodyOf({}, { discountCode: 'HEMAT' }), 400, 'discountCode'],
  ['with points', () => bodyOf({}, { redeemPoints: 10 }), 400, 'redeemPoints'],
  [
    'of unknown goods',
    () => bodyOf({}, { items: [{ variantId: 'var_unknown', quantity: 2, unitPrice: 15_000 }] }),
    404,
    'items[0].variantId',
  ],
])(
  'an offline sale %s is refused with the field, and leaves no trace of its reference',
  async (_, make, status, param) => {
    const body = make()
    expect(refusalOf(await send(body))).toMatchObject({ status, param })
    const left = await deps()
      .db.selectFrom('offlineSales')
      .select('ref')
      .where('ref', '=', body.offline.ref)
      .execute()
    expect(left).toEqual([])
  },
)

test('an offline sale with a key is answered as a replay for that key', async () => {
  const body = bodyOf()
  const key = { headers: { 'idempotency-key': fresh('offline').replaceAll(' ', '-') } }
  const first = await acme().post('/sales', body, key)
  const again = await acme().post('/sales', body, key)
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.data.sale.id).toBe(first.data.sale.id)
})

test('an offline sale is a visit of its customer at the time it was sold, and no later visit is lost', async () => {
  const { customer } = done(await acme().post('/customers', { name: 'Ibu Sari' }))
  const lastVisit = async () => done(await acme().get(`/customers/${customer.id}`)).customer.lastVisitAt
  const [earlier, later] = [agoMs(5 * DAY_MS), agoMs(2 * DAY_MS)]
  for (const [soldAt, expected] of [
    [later, later],
    [earlier, later],
  ]) {
    done(await send(bodyOf({ soldAt }, { customerId: customer.id })))
    expect(await lastVisit()).toBe(expected)
  }
})

test('a voided sale is no visit: the last visit is that of the sale before, or none', async () => {
  const { customer } = done(await acme().post('/customers', { name: 'Pak Budi' }))
  const lastVisit = async () => done(await acme().get(`/customers/${customer.id}`)).customer.lastVisitAt
  const soldAt = agoMs(DAY_MS)
  const [first, second] = [
    done(await send(bodyOf({ soldAt }, { customerId: customer.id }))).sale,
    done(await send(bodyOf({}, { customerId: customer.id }))).sale,
  ]
  done(await acme().post(`/sales/${second.id}/void`))
  expect(await lastVisit()).toBe(soldAt)
  done(await acme().post(`/sales/${first.id}/void`))
  expect(await lastVisit()).toBeNull()
})

test('the first answer and the later one say the same instant of a sale, in UTC', async () => {
  const soldAt = agoMs(HOUR_MS)
  const local = addMs(soldAt, 7 * HOUR_MS).replace('Z', '+07:00')
  const body = bodyOf({ soldAt: local })
  const first = await send(body)
  expect(saleOf(first)).toMatchObject({
    completedAt: soldAt,
    offline: { soldAt },
    payments: [{ paidAt: soldAt }],
  })
  expect((await send(body)).data.sale).toEqual(first.data.sale)
})

test('an instant that no calendar has is refused at its field', async () => {
  const leapSecond = `${agoMs(DAY_MS).slice(0, 10)}T23:59:60Z`
  expect(refusalOf(await send(bodyOf({ soldAt: leapSecond })))).toEqual({
    status: 400,
    code: 'VALIDATION_ERROR',
    param: 'offline.soldAt',
  })
})

test('an offline sale that names a shift is stored while that shift is closed', async () => {
  const race = async () => {
    const outletId = await makeOutlet(acme())
    const shiftId = await openShift(acme(), outletId)
    const [sold, closed] = await Promise.all([
      send(bodyOf({}, { outletId, shiftId })),
      acme().post(`/shifts/${shiftId}/close`, { countedCash: 0 }),
    ])
    return [sold.status, closed.status]
  }
  for (let round = 0; round < 10; round += 1)
    expect(await Promise.all(Array.from({ length: 5 }, race))).toEqual(Array(5).fill([201, 200]))
})
