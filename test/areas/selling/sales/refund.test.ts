import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeCard, makeCustomer, openShift, openShop, type Shop, stock } from '../../../support/build.ts'
import { memberOf } from '../../../support/clients.ts'
import { assertInvariants, refusalOf, saleOf } from '../../../support/expect.ts'
import { cardOf, customerOf, eventsAbout, levelOf } from '../../../support/read.ts'
import { acme, deps, globex, useService } from '../../../support/service.ts'

useService()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(acme(), { taxRateBps: 1_000 })
})

type Fields = Record<string, unknown>
/** 3 lattes and a cake with a discount of 2.500 and 10% tax: 50.000 of goods, 5.000 tax, 4.000 fee, 59.000. */
const sell = async (fields: Fields = {}) =>
  saleOf(
    await acme().post('/sales', {
      outletId: shop.outletId,
      items: [
        { variantId: shop.latte, quantity: 3 },
        { variantId: shop.cake, quantity: 1 },
      ],
      orderDiscount: 2_500,
      deliveryFee: 4_000,
      status: 'COMPLETED',
      ...fields,
    }),
  )
const refund = (id: string, body: Fields = {}) => acme().post(`/sales/${id}/refund`, body)
const given = async (id: string, body: Fields = {}) => {
  const answer = await refund(id, body)
  const sale = saleOf(answer)
  const last = sale.refunds.find((row: { id: string }) => row.id === answer.data.refundId)
  return { sale, refund: last, giftCard: answer.data.giftCard }
}
const of = (sale: { items: { id: string }[] }, ...qtys: number[]) =>
  qtys.flatMap((qty, index) => (qty > 0 ? [{ transactionItemId: sale.items[index]?.id, qty }] : []))

describe('how much', () => {
  test('a sale has at most 100 refunds, and the last one takes everything that is left', async () => {
    const sold = await sell()
    for (let n = 0; n < 99; n += 1) expect((await refund(sold.id, { amount: 1 })).status).toBe(200)
    const refused = await refund(sold.id, { amount: 1 })
    expect(refusalOf(refused)).toEqual({ status: 409, code: 'CONFLICT' })
    expect(refused.error.message).toBe(
      'A sale can have at most 100 refunds, and this is the last one: refund everything that is left',
    )
    expect((await acme().get(`/sales/${sold.id}`)).data.sale.refunds).toHaveLength(99)
    expect(refusalOf(await refund(sold.id, { lines: of(sold, 3, 1) }))).toEqual({
      status: 409,
      code: 'CONFLICT',
    })
    const { sale } = await given(sold.id)
    expect([sale.refundStatus, sale.refundedTotal, sale.refunds.length]).toEqual(['FULL', sold.total, 100])
  })

  test('an event of a sale with many refunds has those that fit in 128 KiB beside its items', async () => {
    const items = Array.from({ length: 90 }, () => ({ variantId: shop.bag, quantity: 30 }))
    const sold = await sell({ items })
    const lines = sold.items.map(({ id }: { id: string }) => ({ transactionItemId: id, qty: 1 }))
    const counts: (number | true | undefined)[][] = []
    for (let n = 0; n < 12; n += 1) {
      const { sale, refund } = await given(sold.id, { lines })
      const event = (await eventsAbout(acme(), sold.id)).find(
        ({ data }) => (data['refund'] as { id: string } | undefined)?.id === refund.id,
      )
      const { truncated, ...inEvent } = event?.data.sale as { refunds: unknown[]; truncated?: true }
      expect(inEvent).toEqual({ ...sale, refunds: sale.refunds.slice(0, inEvent.refunds.length) })
      const bytes = Buffer.byteLength(JSON.stringify(event?.data.sale))
      expect(bytes).toBeLessThanOrEqual(128 * 1024)
      counts.push([sale.refunds.length - inEvent.refunds.length, truncated])
    }
    expect([counts[0], counts.at(-1)?.[1]]).toEqual([[0, undefined], true])
    expect(counts.at(-1)?.[0]).toBeGreaterThan(0)
  })

  test('a misspelt field never gives back the whole sale', async () => {
    const sold = await sell()
    const lines = of(sold, 1)
    for (const [body, param, meant] of [
      [{ items: lines }, 'items', 'lines'],
      [{ ammount: 1_000 }, 'ammount', 'amount'],
      [{ lines: [{ transactionItemId: sold.items[0].id, qantity: 1 }] }, 'lines[0].qantity', 'quantity'],
      [{ lines, restok: true }, 'restok', 'restock'],
    ] as const) {
      const answer = await refund(sold.id, body)
      expect(refusalOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
      expect(answer.error.message).toBe(
        `\`${param}\` is not a field of this request; did you mean \`${meant}\`?`,
      )
    }
    const { sale } = (await acme().get(`/sales/${sold.id}`)).data
    expect([sale.refundStatus, sale.refundedTotal]).toEqual(['NONE', 0])
  })

  test('lines may be named itemId and quantity as well, and a repeat in the other names is the same refund', async () => {
    const sold = await sell()
    const idempotencyKey = `names-${sold.id}`
    const lines = [{ itemId: sold.items[0].id, quantity: 2 }]
    const first = await acme().post(`/sales/${sold.id}/refund`, { lines }, { idempotencyKey })
    expect(saleOf(first).items.map((line: { refundedQty: number }) => line.refundedQty)).toEqual([2, 0])
    const again = await acme().post(`/sales/${sold.id}/refund`, { lines: of(sold, 2) }, { idempotencyKey })
    expect(again.data.refundId).toBe(first.data.refundId)
    const both = { transactionItemId: sold.items[0].id, itemId: sold.items[1].id, qty: 1 }
    expect(refusalOf(await refund(sold.id, { lines: [both] }))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      param: 'lines[0].itemId',
    })
    const agreeing = { transactionItemId: sold.items[0].id, qty: 1, quantity: 1 }
    expect((await refund(sold.id, { lines: [agreeing] })).status).toBe(200)
  })

  test('an empty body gives back everything, the fee too', async () => {
    const sold = await sell()
    const { sale, refund: row } = await given(sold.id)
    expect(sale).toMatchObject({
      status: 'COMPLETED',
      refundStatus: 'FULL',
      refundedTotal: 59_000,
      remaining: 0,
    })
    expect(row).toMatchObject({
      transactionId: sold.id,
      amount: 59_000,
      split: { goods: 50_000, tax: 5_000, service: 0, deliveryFee: 4_000 },
      method: 'CASH',
      tenders: [{ method: 'CASH', amount: 59_000, paymentId: null }],
      restock: false,
      giftCardId: null,
      reason: null,
      shiftId: null,
      actorId: acme().workspace.keyId,
    })
    expect(row.id).toMatch(/^rfd_/)
    const [first, second] = sold.items
    const lines = [
      { transactionItemId: first.id, qty: 3, amount: 47_143 },
      { transactionItemId: second.id, qty: 1, amount: 7_857 },
    ]
    expect(row.lines).toEqual(lines)
    expect(sold.items.map((item: Fields) => item['lineTotal'])).toEqual([47_143, 7_857])
    expect(sale.payments[0].refundedAmount).toBe(59_000)
    expect(saleOf(await acme().get(`/sales/${sold.id}`))).toEqual(sale)
    const told = await eventsAbout(acme(), sold.id)
    expect(told.at(-1)).toEqual({ type: 'service.sale.refunded.v1', data: { sale, refund: row } })
  })

  test('lines give back their own value, never the fee; the last unit takes the remainder', async () => {
    const sold = await sell()
    const amounts: number[] = []
    for (let unit = 0; unit < 3; unit += 1) {
      const { refund: row, sale } = await given(sold.id, { lines: of(sold, 1) })
      amounts.push(row.amount)
      expect(row.split).toEqual({
        goods: row.amount - row.split.tax,
        tax: row.split.tax,
        service: 0,
        deliveryFee: 0,
      })
      expect(sale.items[0].refundedQty).toBe(unit + 1)
    }
    expect(amounts).toEqual([15_714, 15_714, 15_715])
    expect((await given(sold.id, { lines: of(sold, 0, 1) })).refund.split).toEqual({
      goods: 7_143,
      tax: 714,
      service: 0,
      deliveryFee: 0,
    })
    const { refund: fee, sale } = await given(sold.id)
    expect([fee.split, fee.lines]).toEqual([{ goods: 0, tax: 0, service: 0, deliveryFee: 4_000 }, []])
    expect(sale).toMatchObject({ refundStatus: 'FULL', refundedTotal: 59_000 })
  })

  test('an amount is split over what is left of goods, tax and fee, and touches no line', async () => {
    const sold = await sell()
    const first = await given(sold.id, { amount: 5_900, restock: true })
    expect(first.refund).toMatchObject({
      split: { goods: 5_000, tax: 500, service: 0, deliveryFee: 400 },
      lines: [],
    })
    expect(first.sale).toMatchObject({ refundStatus: 'PARTIAL', refundedTotal: 5_900 })
    expect(first.sale.items.map((item: Fields) => item['refundedQty'])).toEqual([0, 0])
    const above = await refund(sold.id, { amount: 53_101 })
    expect(refusalOf(above)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'amount' })
    expect((await given(sold.id, { amount: 53_100 })).sale.refundStatus).toBe('FULL')
  })

  test('with lines and an amount the lines govern the goods and the amount the money', async () => {
    const sold = await sell()
    await stock(acme(), shop.outletId, shop.latte, 1)
    const before = (await levelOf(acme(), shop.outletId, shop.latte)) ?? 0
    const { sale, refund: row } = await given(sold.id, { lines: of(sold, 2), amount: 1_000, restock: true })
    expect([row.amount, row.lines]).toEqual([
      1_000,
      [{ transactionItemId: sold.items[0].id, qty: 2, amount: 31_428 }],
    ])
    expect(await levelOf(acme(), shop.outletId, shop.latte)).toBe(before + 2)
    expect(sale.items[0].refundedQty).toBe(2)
    // The line counts by its value, so its last unit is worth what it always was.
    expect((await given(sold.id, { lines: of(sold, 1) })).refund.amount).toBe(15_715)
    const tooMuch = await refund(sold.id, { lines: of(sold, 0, 1), amount: 42_286 })
    expect(refusalOf(tooMuch)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'amount' })
  })

  test('lines never take more than what amounts have left of goods and tax', async () => {
    const sold = await sell()
    await given(sold.id, { amount: 53_100 })
    const { refund: row } = await given(sold.id, { lines: of(sold, 3, 1) })
    expect(row.split).toEqual({ goods: 5_000, tax: 500, service: 0, deliveryFee: 0 })
    expect((await given(sold.id)).refund.split).toEqual({ goods: 0, tax: 0, service: 0, deliveryFee: 400 })
  })

  test('a free line goes back for nothing and makes no card', async () => {
    const items = [
      { variantId: shop.latte, quantity: 1 },
      { variantId: shop.cake, quantity: 1, unitPrice: 0 },
    ]
    const sold = await sell({ items, orderDiscount: 0 })
    const {
      sale,
      refund: row,
      giftCard,
    } = await given(sold.id, { lines: of(sold, 0, 1), refundToStoreCredit: true })
    expect([row.amount, row.tenders, giftCard, row.giftCardId]).toEqual([0, [], null, null])
    expect(sale).toMatchObject({ refundStatus: 'PARTIAL', refundedTotal: 0 })
    expect((await acme().post(`/sales/${sold.id}/void`)).status).toBe(409)
  })
})

describe('what is refused', () => {
  test('by the body', async () => {
    const [sold, other] = [await sell(), await sell()]
    const unknown = [{ transactionItemId: 'tli_01ARZ3NDEKTSV4RRFFQ69G5FAV', qty: 1 }]
    const [line] = of(sold, 1)
    const cases: [Fields, number, string][] = [
      [{ lines: [] }, 422, 'lines'],
      [{ lines: of(sold, 4) }, 422, 'lines[0].qty'],
      [{ lines: [line, line] }, 422, 'lines[1].transactionItemId'],
      [{ lines: [line, ...of(other, 1)] }, 422, 'lines[1].transactionItemId'],
      [{ lines: [line, ...unknown] }, 404, 'lines[1].transactionItemId'],
      [{ lines: [{ ...line, qty: 0 }] }, 400, 'lines[0].qty'],
      [{ lines: [{ qty: 1 }] }, 400, 'lines[0].transactionItemId'],
      [{ amount: 0 }, 400, 'amount'],
      [{ amount: 1.5 }, 400, 'amount'],
      [{ amount: 59_001 }, 422, 'amount'],
      [{ restock: 'yes' }, 400, 'restock'],
      [{ method: 'GIFT_CARD' }, 400, 'method'],
      [{ reason: 'x'.repeat(301) }, 400, 'reason'],
    ]
    for (const [body, status, param] of cases) {
      const code = status === 404 ? 'NOT_FOUND' : 'VALIDATION_ERROR'
      expect(refusalOf(await refund(sold.id, body)), JSON.stringify(body)).toEqual({ status, code, param })
    }
    expect(saleOf(await acme().get(`/sales/${sold.id}`))).toEqual(sold)
    expect((await globex().post(`/sales/${sold.id}/refund`, {})).status).toBe(404)
  })

  test.each([
    ['a bill that is still open', { status: 'PARKED' }, null],
    ['a sale that was voided', {}, 'void'],
    ['a sale that was refunded whole', {}, 'refund'],
    ['a sale that cost nothing', { items: 'free', orderDiscount: 0, deliveryFee: 0 }, null],
  ])('%s', async (_, fields, first) => {
    const items = [{ variantId: shop.latte, quantity: 1, unitPrice: 0 }]
    const sold = await sell('items' in fields ? { ...fields, items } : fields)
    const before = first === null ? sold : saleOf(await acme().post(`/sales/${sold.id}/${first}`))
    const refused = await refund(sold.id)
    expect(refusalOf(refused)).toEqual({ status: 409, code: 'CONFLICT' })
    expect(refused.error.details.sale).toEqual(before)
  })
})

describe('where the money goes', () => {
  test('to one store credit of the whole amount, owned by the customer or by its bearer', async () => {
    const customerId = await makeCustomer(acme())
    const sold = await sell({ customerId })
    const { refund: row, giftCard } = await given(sold.id, {
      amount: 9_000,
      refundToStoreCredit: true,
      reason: 'cold',
    })
    expect(row).toMatchObject({ method: 'STORE_CREDIT', giftCardId: giftCard.id, reason: 'cold' })
    expect(row.tenders).toEqual([{ method: 'STORE_CREDIT', amount: 9_000, paymentId: null }])
    expect(giftCard).toEqual({
      id: giftCard.id,
      code: expect.stringMatching(/^[0-9A-Z-]{19}$/),
      balance: 9_000,
    })
    expect(await cardOf(acme(), giftCard.code)).toMatchObject({
      kind: 'STORE_CREDIT',
      balance: 9_000,
      customerId,
      sourceRefundId: row.id,
    })
    const bearer = await given((await sell()).id, { refundToStoreCredit: true })
    expect(await cardOf(acme(), bearer.giftCard.code)).toMatchObject({
      initialAmount: 59_000,
      customerId: null,
    })
    expect(JSON.stringify(await eventsAbout(acme(), sold.id))).not.toContain(giftCard.code)
  })

  test('is the same credit when its key is sent again', async () => {
    const sold = await sell()
    const options = { idempotencyKey: `refund-${sold.id}` }
    const first = await acme().post(`/sales/${sold.id}/refund`, { refundToStoreCredit: true }, options)
    const again = await acme().post(`/sales/${sold.id}/refund`, { refundToStoreCredit: true }, options)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(again.data).toEqual(first.data)
  })

  test('back to the card that paid its share, the rest in cash, or by the method that is named', async () => {
    const card = await makeCard(acme(), 20_000)
    const payments = [
      { method: 'GIFT_CARD', amount: 20_000, reference: card.code },
      { method: 'QRIS', amount: 39_000 },
    ]
    const sold = await sell({ payments })
    const first = await given(sold.id, { amount: 5_900 })
    expect(first.refund.tenders).toEqual([
      { method: 'GIFT_CARD', amount: 2_000, paymentId: sold.payments[0].id },
      { method: 'CASH', amount: 3_900, paymentId: null },
    ])
    expect([first.refund.method, (await cardOf(acme(), card.code)).balance]).toEqual(['CASH', 2_000])
    expect(first.sale.payments.map((row: Fields) => row['refundedAmount'])).toEqual([2_000, 3_900])
    const second = await given(sold.id, { amount: 5_900, method: 'QRIS' })
    expect(second.refund.tenders[1]).toEqual({ method: 'QRIS', amount: 3_900, paymentId: null })
    await acme().post(`/gift-cards/${card.id}/void`)
    const rest = await given(sold.id)
    expect(rest.refund.tenders).toEqual([{ method: 'CASH', amount: 47_200, paymentId: null }])
    expect(rest.sale.payments.map((row: Fields) => row['refundedAmount'])).toEqual([20_000, 39_000])
  })

  test('out of the drawer of the cashier who gives it back, else of the sale while it is open, else of none', async () => {
    const here = await openShop(acme())
    const cashier = await memberOf(acme(), 'CASHIER')
    const theirs = await openShift(cashier.api, here.outletId)
    const items = [{ variantId: here.latte, quantity: 1 }]
    const body = { outletId: here.outletId, items, status: 'COMPLETED' }
    const sold = saleOf(await cashier.api.post('/sales', body))
    expect((await given(sold.id, { amount: 1_000 })).refund.shiftId).toBe(theirs)
    const mine = await openShift(acme(), here.outletId, 10_000)
    expect((await given(sold.id, { amount: 2_000 })).refund.shiftId).toBe(mine)
    expect((await acme().get(`/shifts/${mine}`)).data.shift).toMatchObject({
      expectedCash: 8_000,
      summary: { refunds: 2_000, cash: { refunds: 2_000 } },
    })
    for (const [api, id] of [
      [acme(), mine],
      [cashier.api, theirs],
    ] as const) {
      await api.post(`/shifts/${id}/close`, { countedCash: 0 })
    }
    expect((await given(sold.id, { amount: 3_000 })).refund.shiftId).toBeNull()
  })
})

test('points follow the goods that stay, and may end below zero', async () => {
  const customerId = await makeCustomer(acme())
  const sold = await sell({ customerId })
  expect(sold.pointsEarned).toBe(5)
  const points = async () => (await customerOf(acme(), customerId)).pointsBalance
  await acme().post(`/customers/${customerId}/loyalty/redeem`, { points: 4 })
  await given(sold.id, { amount: 1 })
  expect(await points()).toBe(0)
  await given(sold.id, { lines: of(sold, 1) })
  expect(await points()).toBe(-1)
  const { sale } = await given(sold.id, { lines: of(sold, 2, 1) })
  // The fee that stays keeps no points.
  expect([await points(), sale.refundStatus, sale.pointsEarned]).toEqual([-4, 'PARTIAL', 5])
  const { entries } = (await acme().get(`/customers/${customerId}/loyalty`)).data
  const reversed = entries.filter((row: Fields) => row['type'] === 'REVERSE')
  expect(
    reversed.map((row: Fields) => [row['points'], row['transactionId'], row['refundId'] !== null]),
  ).toEqual([
    [-3, sold.id, true],
    [-1, sold.id, true],
    [-1, sold.id, true],
  ])
  expect(await customerOf(acme(), customerId)).toMatchObject({
    visitCount: 1,
    totalSpent: 59_000 - sale.refundedTotal,
  })
})

test('any sequence of refunds ends exactly at the total, and every split adds up', async () => {
  const taxes = [
    { taxRateBps: 0 },
    { taxRateBps: 1_100 },
    { taxRateBps: 1_100, taxInclusive: true },
    { taxRateBps: 777 },
  ]
  const shops = await Promise.all(taxes.map((tax) => openShop(acme(), tax)))
  const line = fc.record({
    quantity: fc.integer({ min: 1, max: 5 }),
    unitPrice: fc.integer({ min: 0, max: 20_000 }),
    discount: fc.integer({ min: 0, max: 3 }),
  })
  const step = fc.record({
    qtys: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 4 }),
    amount: fc.option(fc.integer({ min: 1, max: 30_000 }), { nil: undefined }),
  })
  const world = fc.record({
    shop: fc.integer({ min: 0, max: taxes.length - 1 }),
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    orderDiscount: fc.integer({ min: 0, max: 10 }),
    deliveryFee: fc.integer({ min: 0, max: 9_999 }),
    steps: fc.array(step, { maxLength: 5 }),
  })
  type World = typeof world extends fc.Arbitrary<infer T> ? T : never
  const play = async ({ shop: at, lines, orderDiscount, deliveryFee, steps }: World) => {
    const here = shops[at] ?? shop
    const items = lines.map(({ discount, ...fields }) => ({
      variantId: here.bag,
      ...fields,
      discount: Math.min(discount, fields.quantity * fields.unitPrice),
    }))
    const subtotal = items.reduce((sum, item) => sum + item.quantity * item.unitPrice - item.discount, 0)
    const total = { orderDiscount: Math.min(orderDiscount, subtotal), deliveryFee }
    const body = { outletId: here.outletId, items, status: 'COMPLETED', ...total }
    const sold = saleOf(await acme().post('/sales', body))
    if (sold.total === 0) return
    for (const { qtys, amount } of steps) {
      const named = of(sold, ...qtys.slice(0, items.length))
      await refund(sold.id, { ...(named.length > 0 ? { lines: named } : {}), ...(amount ? { amount } : {}) })
    }
    await refund(sold.id)
    const after = saleOf(await acme().get(`/sales/${sold.id}`))
    const sum = (pick: (row: { amount: number; split: Record<string, number> }) => number) =>
      after.refunds.reduce(
        (all: number, row: { amount: number; split: Record<string, number> }) => all + pick(row),
        0,
      )
    expect([after.refundStatus, after.refundedTotal, sum((row) => row.amount)]).toEqual([
      'FULL',
      sold.total,
      sold.total,
    ])
    expect(sum((row) => row.split['tax'] ?? 0)).toBe(sold.taxTotal)
    expect(sum((row) => row.split['deliveryFee'] ?? 0)).toBe(sold.deliveryFee)
    for (const { amount, split } of after.refunds) {
      expect(split.goods + split.tax + split.deliveryFee).toBe(amount)
      expect(Math.min(split.goods, split.tax, split.deliveryFee)).toBeGreaterThanOrEqual(0)
    }
    expect(after.payments[0].refundedAmount).toBe(sold.total)
  }
  await fc.assert(fc.asyncProperty(world, play), { numRuns: 40 })
  await assertInvariants(deps().db)
})
