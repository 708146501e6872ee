import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { getShiftForSale, shareBookingShift } from '../../../src/areas/selling/shifts/index.ts'
import { newId } from '../../../src/core/ids.ts'
import { inTx } from '../../../src/platform/db/open.ts'
import type { Scope } from '../../../src/platform/scope.ts'
import type { Api } from '../../support/api.ts'
import { makeOutlet } from '../../support/build.ts'
import { scopeOf } from '../../support/clients.ts'
import { assertLedgerInvariants, refusalOf } from '../../support/expect.ts'
import { bookRefund, bookTender, insertShiftSale } from '../../support/rows.ts'
import { acme, as, deps, globex, useService, workspace } from '../../support/service.ts'

useService({ synthetic: true })
afterAll(() => assertLedgerInvariants(deps().db))

const UNKNOWN = 'shf_00000000000000000000000000'

const open = async (outletId: string, openingFloat = 100_000, api = acme()) =>
  (await api.post('/shifts/open', { outletId, openingFloat })).data.shift
const detail = async (id: string, api = acme()) => (await api.get(`/shifts/${id}`)).data.shift
const close = (id: string, countedCash: number, api = acme()) =>
  api.post(`/shifts/${id}/close`, { countedCash })

type Till = { api: Api; scope: Scope }
/** A second cashier of the workspace: another credential, hence another drawer. */
async function secondTill(api = acme()): Promise<Till> {
  const { key, apiKey } = (await api.post('/api-keys', { name: 'Rini' })).data
  const base = scopeOf(api)
  return { api: as(key), scope: { ...base, actor: { ...base.actor, id: apiKey.id, name: 'Rini' } } }
}

test('POST /shifts/open answers 201 with the record and live figures', async () => {
  const outletId = await makeOutlet(acme())
  const opened = await acme().post('/shifts/open', { outletId, openingFloat: 200_000 })
  expect(opened.status).toBe(201)
  expect(opened.data.shift).toEqual({
    id: expect.stringMatching(/^shf_[0-9A-HJKMNP-TV-Z]{26}$/),
    outletId,
    cashierId: acme().workspace.keyId,
    cashierName: 'Acme till',
    status: 'OPEN',
    openingFloat: 200_000,
    countedCash: null,
    expectedCash: 200_000,
    difference: null,
    notes: null,
    openedAt: expect.any(String),
    closedAt: null,
    closedBy: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    summary: {
      salesCount: 0,
      gross: 0,
      discounts: 0,
      tax: 0,
      taxes: [],
      service: 0,
      refunds: 0,
      byMethod: [],
      creditPayments: [],
      cash: {
        opening: 200_000,
        sales: 0,
        refunds: 0,
        rounding: 0,
        creditPayments: 0,
        paidIn: 0,
        paidOut: 0,
        expected: 200_000,
      },
      openBills: 0,
    },
  })
})

test('a second open shift of the same cashier at the same outlet is 409, elsewhere or for another cashier it is not', async () => {
  const [here, there] = [await makeOutlet(acme()), await makeOutlet(acme())]
  await open(here)
  const twice = await acme().post('/shifts/open', { outletId: here, openingFloat: 0 })
  expect(refusalOf(twice)).toMatchObject({ status: 409, code: 'CONFLICT' })
  expect((await open(there)).status).toBe('OPEN')
  expect((await open(here, 0, (await secondTill()).api)).cashierName).toBe('Rini')
})

test("at an inactive outlet one's own open shift is reported first; without one the outlet is refused", async () => {
  const outletId = await makeOutlet(acme())
  await open(outletId)
  await acme().patch(`/outlets/${outletId}`, { isActive: false })
  const body = { outletId, openingFloat: 0 }
  const twice = await acme().post('/shifts/open', body)
  expect(refusalOf(twice)).toMatchObject({ status: 409, code: 'CONFLICT' })
  const other = await (await secondTill()).api.post('/shifts/open', body)
  expect(refusalOf(other)).toMatchObject({ status: 422, param: 'outletId' })
})

test.each([
  [{}, 400, 'outletId'],
  [{ openingFloat: 0 }, 400, 'outletId'],
  [{ outletId: 'OUTLET' }, 400, 'openingFloat'],
  [{ outletId: 'OUTLET', openingFloat: -1 }, 400, 'openingFloat'],
  [{ outletId: 'OUTLET', openingFloat: 0.5 }, 400, 'openingFloat'],
  [{ outletId: 'OUTLET', openingFloat: '0' }, 400, 'openingFloat'],
  [{ outletId: 'OUTLET', openingFloat: 1_000_000_000_001 }, 400, 'openingFloat'],
  [{ outletId: 'out_00000000000000000000000000', openingFloat: 0 }, 404, 'outletId'],
  [{ outletId: 'INACTIVE', openingFloat: 0 }, 422, 'outletId'],
])('POST /shifts/open refuses %j with %i', async (sent: Record<string, unknown>, status, param) => {
  const outletId = await makeOutlet(acme())
  if (sent['outletId'] === 'INACTIVE') await acme().patch(`/outlets/${outletId}`, { isActive: false })
  const names = sent['outletId'] === 'OUTLET' || sent['outletId'] === 'INACTIVE'
  const refused = await acme().post('/shifts/open', names ? { ...sent, outletId } : sent)
  expect(refusalOf(refused)).toMatchObject({ status, param })
})

test('current is the caller’s open shift: 422 without an outlet, 404 for an unknown one, null when none', async () => {
  const outletId = await makeOutlet(acme())
  for (const query of ['', '?outletId=']) {
    const without = await acme().get(`/shifts/current${query}`)
    expect(refusalOf(without)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'outletId' })
  }
  expect((await acme().get('/shifts/current?outletId=out_unknown')).status).toBe(404)
  const current = async (api = acme()) => (await api.get(`/shifts/current?outletId=${outletId}`)).data
  expect(await current()).toEqual({ shift: null })
  const shift = await open(outletId)
  expect(await current()).toEqual({ shift })
  expect(await current((await secondTill()).api)).toEqual({ shift: null })
  await close(shift.id, 0)
  expect(await current()).toEqual({ shift: null })
})

test('the list is newest first, filtered by outlet and status, with live cash on open shifts', async () => {
  const api = await workspace()
  const [here, there] = [await makeOutlet(api), await makeOutlet(api)]
  const first = await open(here, 10_000, api)
  await close(first.id, 9_000, api)
  const second = await open(there, 20_000, api)
  await api.post(`/shifts/${second.id}/cash-movements`, { type: 'PAID_IN', amount: 5_000 })
  const rows = async (query: string) =>
    (await api.get(`/shifts${query}`)).data.map((row: { id: string; expectedCash: number }) => [
      row.id,
      row.expectedCash,
    ])
  expect(await rows('')).toEqual([
    [second.id, 25_000],
    [first.id, 10_000],
  ])
  expect(await rows(`?outletId=${here}`)).toEqual([[first.id, 10_000]])
  expect(await rows('?status=OPEN')).toEqual([[second.id, 25_000]])
  expect(await rows('?outletId=out_unknown')).toEqual([])
  const page = await api.get('/shifts?limit=1')
  expect(page.meta).toMatchObject({ hasMore: true })
  const rest = await api.get(`/shifts?limit=1&cursor=${page.meta.cursor}`)
  expect([rest.data[0].id, rest.meta.hasMore, rest.meta.cursor]).toEqual([first.id, false, null])
})

test.each([
  ['?status=ENDED', 'status'],
  ['?limit=0', 'limit'],
  ['?cursor=x', 'cursor'],
])('GET /shifts%s is 400', async (query, param) => {
  const refused = await acme().get(`/shifts${query}`)
  expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
})

test('the summary counts sales by their shift and money where it was booked', async () => {
  const outletId = await makeOutlet(acme())
  const shift = await open(outletId, 50_000)
  const scope = scopeOf(acme())
  const sale = await insertShiftSale(acme(), {
    outletId,
    shiftId: shift.id,
    status: 'COMPLETED',
    total: 38_850,
    discountTotal: 5_000,
    taxTotal: 3_850,
    lines: [{ quantity: 3 }, { quantity: 1, isActive: false }, { quantity: 1 }],
  })
  await bookTender(scope, sale, { method: 'CASH', amount: 20_000 })
  await bookTender(scope, sale, { method: 'QRIS', amount: 18_850 })
  await bookTender(scope, sale, { method: 'QRIS', amount: 18_850, status: 'FAILED' })
  await bookTender(scope, sale, { method: 'QRIS', amount: 9_000, applied: false })
  await bookRefund(scope, sale, [
    { method: 'CASH', amount: 4_000 },
    { method: 'STORE_CREDIT', amount: 6_000 },
  ])
  const voided = await insertShiftSale(acme(), {
    outletId,
    shiftId: shift.id,
    status: 'VOIDED',
    total: 10_000,
  })
  await bookTender(scope, voided, { amount: 10_000 })
  await bookRefund(scope, voided, [{ method: 'CASH', amount: 10_000 }], 'VOID')
  const parked = await insertShiftSale(acme(), {
    outletId,
    shiftId: shift.id,
    total: 10_000,
    paidTotal: 3_000,
  })
  await bookTender(scope, parked, { amount: 3_000 })
  await insertShiftSale(acme(), { outletId, shiftId: null, status: 'COMPLETED', total: 10_000 })
  await acme().post(`/shifts/${shift.id}/cash-movements`, { type: 'PAID_IN', amount: 7_000 })
  await acme().post(`/shifts/${shift.id}/cash-movements`, { type: 'PAID_OUT', amount: 2_000, reason: 'ice' })
  expect((await detail(shift.id)).summary).toEqual({
    salesCount: 1,
    gross: 40_000,
    discounts: 5_000,
    tax: 3_850,
    taxes: [{ rateBps: 0, tax: 3_850 }],
    service: 0,
    refunds: 20_000,
    byMethod: [
      { method: 'CASH', count: 3, amount: 33_000, refunds: 14_000, net: 19_000 },
      { method: 'QRIS', count: 1, amount: 18_850, refunds: 0, net: 18_850 },
      { method: 'STORE_CREDIT', count: 0, amount: 0, refunds: 6_000, net: -6_000 },
    ],
    creditPayments: [],
    cash: {
      opening: 50_000,
      sales: 33_000,
      refunds: 14_000,
      rounding: 0,
      creditPayments: 0,
      paidIn: 7_000,
      paidOut: 2_000,
      expected: 74_000,
    },
    openBills: 1,
  })
})

test('close stores count, difference and who closed; twice is 409; open bills do not block it', async () => {
  const outletId = await makeOutlet(acme())
  const shift = await open(outletId)
  await insertShiftSale(acme(), { outletId, shiftId: shift.id })
  const till = await secondTill()
  const closed = await till.api.post(`/shifts/${shift.id}/close`, {
    countedCash: 99_500,
    notes: 'five hundred short',
  })
  expect(closed.status).toBe(200)
  expect(closed.data.shift).toMatchObject({
    status: 'CLOSED',
    countedCash: 99_500,
    expectedCash: 100_000,
    difference: -500,
    notes: 'five hundred short',
    closedAt: expect.any(String),
    closedBy: till.scope.actor.id,
    cashierId: acme().workspace.keyId,
    summary: { openBills: 1 },
  })
  const again = await acme().post(`/shifts/${shift.id}/close`, { countedCash: 0 })
  expect(refusalOf(again)).toMatchObject({ status: 409, code: 'CONFLICT' })
  expect((await open(outletId)).status).toBe('OPEN')
})

test('a refused close leaves its key to another request', async () => {
  const [first, second] = [await open(await makeOutlet(acme())), await open(await makeOutlet(acme()))]
  await close(first.id, 0)
  const idempotencyKey = newId('request')
  const send = (id: string) => acme().post(`/shifts/${id}/close`, { countedCash: 0 }, { idempotencyKey })
  expect(refusalOf(await send(first.id))).toMatchObject({ status: 409, code: 'CONFLICT' })
  expect((await send(second.id)).status).toBe(200)
  expect(refusalOf(await send(first.id))).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' })
})

test.each([
  [{}, 'countedCash'],
  [{ countedCash: -1 }, 'countedCash'],
  [{ countedCash: 1.5 }, 'countedCash'],
  [{ countedCash: null }, 'countedCash'],
  [{ countedCash: 0, notes: 'x'.repeat(1001) }, 'notes'],
])('close refuses %j with 400', async (body, param) => {
  const { id } = await open(await makeOutlet(acme()))
  const refused = await acme().post(`/shifts/${id}/close`, body)
  expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
  expect((await detail(id)).status).toBe('OPEN')
})

test.each([
  [{ amount: 1 }, 400, 'type'],
  [{ type: 'BORROW', amount: 1 }, 400, 'type'],
  [{ type: 'PAID_IN' }, 400, 'amount'],
  [{ type: 'PAID_IN', amount: 0 }, 400, 'amount'],
  [{ type: 'PAID_OUT', amount: -5 }, 400, 'amount'],
  [{ type: 'PAID_IN', amount: 1, reason: 'x'.repeat(301) }, 400, 'reason'],
  [{ type: 'PAID_OUT', amount: 100_001 }, 422, 'amount'],
])('a cash movement %j is refused with %i', async (body, status, param) => {
  const { id } = await open(await makeOutlet(acme()))
  const refused = await acme().post(`/shifts/${id}/cash-movements`, body)
  expect(refusalOf(refused)).toEqual({ status, code: 'VALIDATION_ERROR', param })
})

test('a cash movement answers 201 with its record and the shift; a closed drawer takes none', async () => {
  const { id } = await open(await makeOutlet(acme()))
  const moved = await acme().post(`/shifts/${id}/cash-movements`, {
    type: 'PAID_OUT',
    amount: 100_000,
    reason: 'bank',
  })
  expect(moved.status).toBe(201)
  expect(moved.data).toMatchObject({
    cashMovement: {
      id: expect.stringMatching(/^csm_/),
      shiftId: id,
      type: 'PAID_OUT',
      amount: 100_000,
      reason: 'bank',
    },
    shift: { id, expectedCash: 0, summary: { cash: { paidOut: 100_000 } } },
  })
  await close(id, 0)
  const late = await acme().post(`/shifts/${id}/cash-movements`, { type: 'PAID_IN', amount: 1 })
  expect(refusalOf(late)).toMatchObject({ status: 409, code: 'CONFLICT' })
  expect(
    (await acme().post(`/shifts/${UNKNOWN}/cash-movements`, { type: 'PAID_IN', amount: 1 })).status,
  ).toBe(404)
})

test('money is booked to the actor’s open shift, else to the sale’s, else to none, and never to a closed one', async () => {
  const outletId = await makeOutlet(acme())
  const elsewhere = await makeOutlet(acme())
  const till = await secondTill()
  const mine = await open(outletId)
  await open(elsewhere)
  const theirs = await open(outletId, 0, till.api)
  const book = (scope: Scope, saleShiftId: string | null) =>
    inTx(deps().db, (tx) => shareBookingShift(tx, scope, { outletId, saleShiftId }))
  expect(await book(scopeOf(acme()), theirs.id)).toBe(mine.id)
  await close(mine.id, 0)
  expect(await book(scopeOf(acme()), theirs.id)).toBe(theirs.id)
  expect(await book(scopeOf(acme()), mine.id)).toBeNull()
  expect(await book(scopeOf(acme()), null)).toBeNull()
  expect(await book(scopeOf(globex()), theirs.id)).toBeNull()
})

test('a sale may name an open shift of its outlet: 404 unknown, 422 of another outlet before 409 closed', async () => {
  const [here, there] = [await makeOutlet(acme()), await makeOutlet(acme())]
  const shift = await open(here)
  const ask = (id: string, outletId: string, api = acme()) =>
    getShiftForSale(deps().db, scopeOf(api), id, outletId)
  expect(await ask(shift.id, here)).toMatchObject({ id: shift.id, outletId: here })
  await expect(ask(UNKNOWN, here)).rejects.toMatchObject({ status: 404, param: 'shiftId' })
  await expect(ask(shift.id, here, globex())).rejects.toMatchObject({ status: 404, param: 'shiftId' })
  await close(shift.id, 0)
  await expect(ask(shift.id, there)).rejects.toMatchObject({ status: 422, param: 'shiftId' })
  await expect(ask(shift.id, here)).rejects.toMatchObject({ status: 409 })
})

test('a shift writes one event when it opens and one when it closes, each with its figures', async () => {
  const api = await workspace()
  const shift = await open(await makeOutlet(api), 1_000, api)
  await close(shift.id, 1_000, api)
  const told = await deps()
    .db.selectFrom('events')
    .select(['type', 'refId', 'body'])
    .where('accountId', '=', api.workspace.accountId)
    .orderBy('id')
    .execute()
  expect(told.map(({ type, refId }) => [type, refId])).toEqual([
    ['service.shift.opened.v1', shift.id],
    ['service.shift.closed.v1', shift.id],
  ])
  const body = told[1]?.body as unknown
  expect((typeof body === 'string' ? JSON.parse(body) : body).data.shift).toEqual(await detail(shift.id, api))
})

test('after any two shifts expected cash is float, cash in and cash out, and closed figures never move', async () => {
  const step = fc.record({
    verb: fc.constantFrom('cash', 'qris', 'refund', 'void', 'in', 'out', 'close'),
    amount: fc.integer({ min: 1, max: 50_000 }),
    second: fc.boolean(),
  })
  const till = await secondTill()
  await fc.assert(
    fc.asyncProperty(fc.nat(100_000), fc.array(step, { maxLength: 14 }), async (float, steps) => {
      const outletId = await makeOutlet(acme())
      const tills = [
        {
          api: acme(),
          scope: scopeOf(acme()),
          cash: float,
          shift: await open(outletId, float),
          closed: null as unknown,
        },
        { ...till, cash: 0, shift: await open(outletId, 0, till.api), closed: null as unknown },
      ]
      for (const { verb, amount, second } of steps) {
        const own = tills[second ? 1 : 0]
        const sold = tills[0]
        if (!own || !sold) continue
        const taker = own.closed === null ? own : sold.closed === null ? sold : null
        const sale = {
          outletId,
          shiftId: sold.shift.id as string,
          status: 'COMPLETED' as const,
          total: amount,
        }
        if (verb === 'close') {
          if (own.closed !== null) continue
          own.closed = (await close(own.shift.id, amount, own.api)).data.shift
          expect(own.closed).toMatchObject({ expectedCash: own.cash, difference: amount - own.cash })
        } else if (verb === 'in' || verb === 'out') {
          const type = verb === 'in' ? 'PAID_IN' : 'PAID_OUT'
          const answer = await own.api.post(`/shifts/${own.shift.id}/cash-movements`, { type, amount })
          if (answer.status === 201) own.cash += verb === 'in' ? amount : -amount
          else expect(own.closed !== null || (verb === 'out' && amount > own.cash)).toBe(true)
        } else {
          const made = await insertShiftSale(acme(), sale)
          const booked =
            verb === 'cash' || verb === 'qris'
              ? await bookTender(own.scope, made, { method: verb === 'cash' ? 'CASH' : 'QRIS', amount })
              : await bookRefund(
                  own.scope,
                  made,
                  [{ method: 'CASH', amount }],
                  verb === 'void' ? 'VOID' : 'REFUND',
                )
          expect(booked).toBe(taker?.shift.id ?? null)
          if (taker && verb !== 'qris') taker.cash += verb === 'cash' ? amount : -amount
        }
      }
      for (const { shift, cash, closed, api } of tills) {
        const now = await detail(shift.id)
        expect(now.expectedCash).toBe(cash)
        if (closed === null) await close(shift.id, 0, api)
        else expect(now).toEqual(closed)
      }
    }),
    { numRuns: 12 },
  )
})

test('a shift of another workspace answers 404 to every verb', async () => {
  const outletId = await makeOutlet(acme())
  const { id } = await open(outletId)
  const answers = [
    await globex().get(`/shifts/${id}`),
    await globex().post(`/shifts/${id}/close`, { countedCash: 0 }),
    await globex().post(`/shifts/${id}/cash-movements`, { type: 'PAID_IN', amount: 1 }),
    await globex().post('/shifts/open', { outletId, openingFloat: 0 }),
    await globex().get(`/shifts/current?outletId=${outletId}`),
  ]
  expect(answers.map(refusalOf)).toMatchObject(Array(5).fill({ status: 404, code: 'NOT_FOUND' }))
  expect((await globex().get('/shifts')).data).toEqual([])
})
