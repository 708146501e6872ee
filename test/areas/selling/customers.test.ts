import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import {
  earnForSale,
  reverseForSale,
  shareActiveCustomer,
} from '../../../src/areas/selling/customers/index.ts'
import { newId } from '../../../src/core/ids.ts'
import { inTx } from '../../../src/platform/db/open.ts'
import type { Api } from '../../support/api.ts'
import { openShop } from '../../support/build.ts'
import { scopeOf } from '../../support/clients.ts'
import { assertLedgerInvariants, refusalOf } from '../../support/expect.ts'
import { acme, deps, globex, useService, workspace } from '../../support/service.ts'

useService({ synthetic: true })
afterAll(() => assertLedgerInvariants(deps().db))

const make = async (fields: Record<string, unknown> = {}, api = acme()) =>
  (await api.post('/customers', { name: 'Budi Santoso', ...fields })).data.customer

const sell = (customerId: string, eligible: number, { total = eligible, saleId = newId('sale') } = {}) =>
  inTx(deps().db, (tx) => earnForSale(tx, scopeOf(acme()), { customerId, saleId, eligible, total }))

const ledgerOf = async (id: string) => (await acme().get(`/customers/${id}/loyalty`)).data

test('POST /customers answers 201 with every field and its default', async () => {
  const created = await acme().post('/customers', { name: ' Siti ', phone: '', email: 'siti@example.id' })
  expect(created.status).toBe(201)
  expect(created.data).toEqual({
    customer: {
      id: expect.stringMatching(/^cus_[0-9A-HJKMNP-TV-Z]{26}$/),
      name: 'Siti',
      phone: null,
      email: 'siti@example.id',
      note: null,
      isActive: true,
      pointsBalance: 0,
      totalSpent: 0,
      visitCount: 0,
      lastVisitAt: null,
      groupIds: [],
      creditLimit: 0,
      creditBalance: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    },
    possibleDuplicates: [],
    warnings: [],
  })
  const read = await acme().get(`/customers/${created.data.customer.id}`)
  expect(read.data.customer).toEqual(created.data.customer)
})

test.each([
  ['post', {}, 'name'],
  ['post', { name: '' }, 'name'],
  ['post', { name: null }, 'name'],
  ['post', { name: 'x'.repeat(121) }, 'name'],
  ['post', { name: 'A', phone: 'x'.repeat(41) }, 'phone'],
  ['post', { name: 'A', phone: 812 }, 'phone'],
  ['post', { name: 'A', email: 'not an address' }, 'email'],
  ['post', { name: 'A', email: `${'x'.repeat(200)}@example.id` }, 'email'],
  ['post', { name: 'A', note: 'x'.repeat(501) }, 'note'],
  ['patch', { name: null }, 'name'],
  ['patch', { email: '' }, 'email'],
] as const)('%s refuses %j with 400', async (method, body, param) => {
  const path = method === 'post' ? '/customers' : `/customers/${(await make()).id}`
  const refused = await acme()[method](path, body)
  expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
})

test('PATCH keeps what is absent, clears what is null and never moves points or totals', async () => {
  const { id } = await make({ phone: '0812', note: 'no sugar' })
  const patched = await acme().patch(`/customers/${id}`, { phone: null, pointsBalance: 99, totalSpent: 99 })
  expect(patched.data.customer).toMatchObject({
    phone: null,
    note: 'no sugar',
    pointsBalance: 0,
    totalSpent: 0,
  })
  const same = await acme().patch(`/customers/${id}`, {})
  expect([same.status, same.data.customer]).toEqual([200, patched.data.customer])
})

test('create names others with the same phone, however written, or the same email', async () => {
  const api = await workspace()
  const first = await make({ phone: '+62 812-3456-7890' }, api)
  const second = await make({ email: 'Rina@Example.id' }, api)
  await make({ phone: '0812 0000 0000', email: 'other@example.id' }, api)
  const twin = await api.post('/customers', { name: 'R', phone: '081234567890', email: 'rina@example.ID' })
  expect(twin.data.possibleDuplicates).toEqual([first.id, second.id])
})

const SPELLINGS = [
  '+62 812-3456-7890',
  '0812 3456 7890',
  '6281234567890',
  '0062 812 3456 7890',
  '+62 (0)812 3456 7890',
  '812.3456.7890',
  '0812‑3456‑7890',
  '0812 3456 7890 ext. 5',
]

test.each(SPELLINGS)(
  '%s is one number with every other way to write it, in duplicates and in search',
  async (phone) => {
    const api = await workspace()
    const { id } = await make({ phone }, api)
    for (const other of SPELLINGS) {
      const twin = await api.post('/customers', { name: 'R', phone: other })
      expect([other, twin.data.possibleDuplicates, twin.data.warnings]).toEqual([other, [id], []])
      await api.delete(`/customers/${twin.data.customer.id}`)
    }
    for (const q of ['+62 812-3456-7890', '081234567890', '6281234567890', '0062 812 3456', '0812-345']) {
      const found = (await api.get(`/customers?q=${encodeURIComponent(q)}`)).data.customers
      expect([q, found.map((customer: { id: string }) => customer.id)]).toEqual([q, [id]])
    }
  },
)

test('a number from abroad keeps its country, however it is called', async () => {
  const api = await workspace()
  const { id } = await make({ phone: '+65 8123 4567' }, api)
  const twin = await api.post('/customers', { name: 'R', phone: '0065 8123 4567' })
  expect(twin.data.possibleDuplicates).toEqual([id])
})

test('a phone number that is not plausible is stored as it was sent, and answered with a warning', async () => {
  const warning = { code: 'PHONE_NOT_PLAUSIBLE', field: 'phone', message: expect.stringContaining('0812') }
  const created = await acme().post('/customers', { name: 'Tono', phone: '0812' })
  expect([created.status, created.data.customer.phone, created.data.warnings]).toEqual([
    201,
    '0812',
    [warning],
  ])
  const { id } = created.data.customer
  const asked = await acme().patch(`/customers/${id}`, { phone: 'ask 0812' })
  expect([asked.status, asked.data.customer.phone, asked.data.warnings]).toEqual([200, 'ask 0812', [warning]])
  const renamed = await acme().patch(`/customers/${id}`, { name: 'Tono S.' })
  expect(renamed.data.warnings).toEqual([])
  const mended = await acme().patch(`/customers/${id}`, { phone: '+62 812 3456 7890' })
  expect([mended.data.customer.phone, mended.data.warnings]).toEqual(['+62 812 3456 7890', []])
})

test('search finds by name, phone and email, reads no wildcard and lists by name', async () => {
  const api = await workspace()
  await make({ name: 'Wati 100%', phone: '0812-1111-2222' }, api)
  await make({ name: 'Agus', email: 'agus_w@example.id', phone: '(021) 7654321' }, api)
  await make({ name: 'Agung' }, api)
  const names = async (q: string) =>
    (await api.get(`/customers?q=${encodeURIComponent(q)}`)).data.customers.map(
      ({ name }: { name: string }) => name,
    )
  expect(await names('AGU')).toEqual(['Agung', 'Agus'])
  expect(await names('%')).toEqual(['Wati 100%'])
  expect(await names('_')).toEqual(['Agus'])
  expect(await names('+62 81211112222')).toEqual(['Wati 100%'])
  expect(await names('example.id')).toEqual(['Agus'])
  expect(await names("' or 1=1 --")).toEqual([])
  expect((await api.get('/customers')).data.customers).toHaveLength(3)
  const refused = await api.get(`/customers?q=${'x'.repeat(121)}`)
  expect(refusalOf(refused)).toMatchObject({ status: 400, param: 'q' })
})

test('a customer that nothing names is deleted', async () => {
  const { id } = await make()
  const gone = await acme().delete(`/customers/${id}`)
  expect([gone.status, gone.data]).toEqual([200, { id, deleted: true }])
  expect((await acme().get(`/customers/${id}`)).status).toBe(404)
})

test('a customer with a history is erased: the record stays, the personal data and the search do not', async () => {
  const api = await workspace()
  const { id } = await make({ name: 'Dewi', phone: '0813 999', email: 'dewi@example.id', note: 'tall' }, api)
  await api.post(`/customers/${id}/loyalty/adjust`, { points: 7 })
  const erased = await api.delete(`/customers/${id}`)
  expect(erased.data).toMatchObject({
    deactivated: true,
    customer: {
      id,
      name: 'Deleted customer',
      phone: null,
      email: null,
      note: null,
      isActive: false,
      pointsBalance: 7,
    },
  })
  expect((await api.get(`/customers/${id}`)).data.customer).toEqual(erased.data.customer)
  expect((await api.get('/customers')).data.customers).toEqual([])
  expect((await api.get('/customers?q=Dewi')).data.customers).toEqual([])
  const twin = await api.post('/customers', { name: 'Dewi', phone: '0813 999', email: 'dewi@example.id' })
  expect(twin.data.possibleDuplicates).toEqual([])
  const again = await api.delete(`/customers/${id}`)
  expect([again.status, again.data.deactivated]).toEqual([200, true])
  const refusals = [
    await api.patch(`/customers/${id}`, { name: 'Dewi' }),
    await api.post(`/customers/${id}/loyalty/adjust`, { points: 1 }),
    await api.post(`/customers/${id}/loyalty/redeem`, { points: 1 }),
  ]
  expect(refusals.map(refusalOf)).toMatchObject(Array(3).fill({ status: 409, code: 'CONFLICT' }))
  const held = inTx(deps().db, (tx) => shareActiveCustomer(tx, scopeOf(api), id))
  await expect(held).rejects.toMatchObject({
    status: 422,
    param: 'customerId',
  })
})

test('the personal data of a deleted customer is not sent out once more', async () => {
  const api = await workspace()
  const { id } = await make({ name: 'Dewi', phone: '0813 999' }, api)
  await api.patch(`/customers/${id}`, { note: 'x' })
  await api.delete(`/customers/${id}`)
  expect(await api.events()).toEqual([
    'service.customer.created.v1',
    'service.customer.updated.v1',
    'service.customer.deleted.v1',
  ])
  const { body } = await deps()
    .db.selectFrom('events')
    .select('body')
    .where('refId', '=', id)
    .where('type', '=', 'service.customer.deleted.v1')
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(body)).not.toMatch(/Dewi|0813/)
})

type EventBody = { id: string; type: string; refId: string; body: string }

const bodiesOf = (api: Api): Promise<EventBody[]> =>
  deps()
    .db.selectFrom('events')
    .select(['id', 'type', 'refId', 'body'])
    .where('accountId', '=', api.workspace.accountId)
    .orderBy('id')
    .execute()

const PERSON = { name: 'Dewi Lestari', phone: '0813 999', email: 'dewi@example.id', note: 'tall' }
const PERSONAL = /Dewi|0813|dewi@|tall/

test('what was announced of a deleted customer loses the personal data and nothing else', async () => {
  const api = await workspace()
  const { id } = await make(PERSON, api)
  const other = await make({ ...PERSON, name: 'Dewi Other' }, api)
  await api.patch(`/customers/${id}`, { phone: '0813 998' })
  const before = await bodiesOf(api)
  expect((await api.delete(`/customers/${id}`)).data).toEqual({ id, deleted: true })
  const after = (await bodiesOf(api)).slice(0, before.length)
  expect(after.filter(({ refId }) => refId === id).map(({ type }) => type)).toEqual([
    'service.customer.created.v1',
    'service.customer.updated.v1',
  ])
  for (const [index, { body, ...row }] of after.entries()) {
    const { body: told = '', ...same } = before[index] ?? {}
    expect(row).toEqual(same)
    if (row.refId === other.id) expect(body).toBe(told)
    else
      expect(body).toBe(
        told
          .replace('Dewi Lestari', 'Deleted customer')
          .replace(/"0813 99\d"/, 'null')
          .replace('"dewi@example.id"', 'null')
          .replace('"tall"', 'null'),
      )
  }
})

test('what was announced of the sales of an erased customer names nobody, however the sales ended', async () => {
  const api = await workspace()
  const { outletId, latte } = await openShop(api)
  const { id } = await make(PERSON, api)
  const other = await make({ name: 'Agus' }, api)
  const open = async (customerId: string, fields: Record<string, unknown> = {}) => {
    const items = [{ variantId: latte, quantity: 1 }]
    const sold = await api.post('/sales', { outletId, customerId, items, ...fields })
    expect(sold.status, sold.text).toBe(201)
    return sold.data.sale.id as string
  }
  const done = async (path: string, body?: unknown) => {
    const answer = await api.post(`/sales/${path}`, body)
    expect(answer.status, answer.text).toBe(200)
  }
  const kept = await open(other.id, { status: 'COMPLETED' })
  await done(`${await open(id, { status: 'COMPLETED' })}/void`)
  await done(`${await open(id, { status: 'COMPLETED' })}/refund`, { amount: 5_000 })
  await done(`${await open(id)}/discard`)
  const bill = await open(id)
  const items = [{ variantId: latte, quantity: 2 }]
  expect((await api.patch(`/sales/${bill}/items`, { items })).status).toBe(200)
  await done(`${bill}/settle`, { payments: [{ method: 'CASH', amount: 30_000 }] })
  const before = await bodiesOf(api)
  expect((await api.delete(`/customers/${id}`)).data.deactivated).toBe(true)
  const after = (await bodiesOf(api)).slice(0, before.length)
  expect(after.filter(({ body }) => PERSONAL.test(body))).toEqual([])
  expect(
    [...new Set(after.map(({ type }) => type).filter((type) => type.includes('.sale.')))].sort(),
  ).toEqual([
    'service.sale.completed.v1',
    'service.sale.discarded.v1',
    'service.sale.parked.v1',
    'service.sale.refunded.v1',
    'service.sale.updated.v1',
    'service.sale.voided.v1',
  ])
  const withoutPerson = ({ body }: EventBody) =>
    body
      .replaceAll(/Dewi Lestari|Deleted customer/g, '')
      .replaceAll(/"(phone|email|note)":("0813 999"|"dewi@example.id"|"tall"|null)/g, '')
  expect(after.map(withoutPerson)).toEqual(before.map(withoutPerson))
  expect(after.find(({ refId }) => refId === kept)?.body).toContain('"name":"Agus"')
})

test('adjust and redeem move the balance and write one entry each, newest first', async () => {
  const { id } = await make()
  const adjusted = await acme().post(`/customers/${id}/loyalty/adjust`, { points: 50, reason: 'welcome' })
  expect([adjusted.status, adjusted.data.customer.pointsBalance]).toEqual([200, 50])
  const redeemed = await acme().post(`/customers/${id}/loyalty/redeem`, { points: 20 })
  expect(redeemed.data).toMatchObject({
    customer: { id, pointsBalance: 30 },
    entry: {
      type: 'REDEEM',
      points: -20,
      balanceAfter: 30,
      transactionId: null,
      refundId: null,
      reason: null,
    },
  })
  expect(await ledgerOf(id)).toEqual({ balance: 30, entries: [redeemed.data.entry, adjusted.data.entry] })
  expect(adjusted.data.entry).toMatchObject({
    id: expect.stringMatching(/^loy_/),
    customerId: id,
    type: 'ADJUST',
    points: 50,
    balanceAfter: 50,
    reason: 'welcome',
    actorId: acme().workspace.keyId,
  })
})

test.each([
  ['adjust', {}, 400],
  ['adjust', { points: '5' }, 400],
  ['adjust', { points: 1.5 }, 400],
  ['adjust', { points: 1_000_000_001 }, 400],
  ['adjust', { points: 0 }, 422],
  ['adjust', { points: -11 }, 422],
  ['redeem', {}, 400],
  ['redeem', { points: 0 }, 400],
  ['redeem', { points: -1 }, 400],
  ['redeem', { points: 11 }, 422],
])('%s of a balance of 10 refuses %j with %i', async (verb, body, status) => {
  const { id } = await make()
  await acme().post(`/customers/${id}/loyalty/adjust`, { points: 10 })
  const refused = await acme().post(`/customers/${id}/loyalty/${verb}`, body)
  expect(refusalOf(refused)).toEqual({ status, code: 'VALIDATION_ERROR', param: 'points' })
  expect((await ledgerOf(id)).balance).toBe(10)
})

test('an adjustment reason above 200 characters is refused', async () => {
  const { id } = await make()
  const refused = await acme().post(`/customers/${id}/loyalty/adjust`, { points: 1, reason: 'x'.repeat(201) })
  expect(refusalOf(refused)).toMatchObject({ status: 400, param: 'reason' })
})

test('a sale earns a point per Rp 10.000, counts the visit and the money, and says the rate', async () => {
  const { id } = await make()
  expect(await sell(id, 49_999, { total: 60_000 })).toEqual({ pointsEarned: 4, rupiahPerPoint: 10_000 })
  expect(await sell(id, 9_999)).toEqual({ pointsEarned: 0, rupiahPerPoint: 10_000 })
  const { data } = await acme().get(`/customers/${id}`)
  expect(data.customer).toMatchObject({ pointsBalance: 4, totalSpent: 69_999, visitCount: 2 })
  expect(data.customer.lastVisitAt).not.toBeNull()
  expect((await ledgerOf(id)).entries).toHaveLength(1)
})

test('a rate of 0 switches points off, another one is used and shown', async () => {
  const api = await workspace()
  const { id } = await make({}, api)
  const earn = () =>
    inTx(deps().db, (tx) =>
      earnForSale(tx, scopeOf(api), {
        customerId: id,
        saleId: newId('sale'),
        eligible: 25_000,
        total: 25_000,
      }),
    )
  await api.put('/settings', { loyaltyRupiahPerPoint: 0 })
  expect(await earn()).toEqual({ pointsEarned: 0, rupiahPerPoint: 0 })
  await api.put('/settings', { loyaltyRupiahPerPoint: 5_000 })
  expect(await earn()).toEqual({ pointsEarned: 5, rupiahPerPoint: 5_000 })
})

test('one sale earns once, whoever completes it a second time', async () => {
  const { id } = await make()
  const saleId = newId('sale')
  await sell(id, 30_000, { saleId })
  await expect(sell(id, 30_000, { saleId })).rejects.toMatchObject({ code: '23505' })
  expect((await acme().get(`/customers/${id}`)).data.customer).toMatchObject({
    pointsBalance: 3,
    visitCount: 1,
  })
})

test('a void takes back points, money and the visit, below zero where the points were spent', async () => {
  const { id } = await make()
  const saleId = newId('sale')
  await sell(id, 100_000, { saleId })
  await acme().post(`/customers/${id}/loyalty/redeem`, { points: 8 })
  const back = { customerId: id, saleId, refundId: null, points: 10, spent: 100_000, visits: 1 }
  await inTx(deps().db, (tx) => reverseForSale(tx, scopeOf(acme()), back))
  const { customer } = (await acme().get(`/customers/${id}`)).data
  expect(customer).toMatchObject({ pointsBalance: -8, totalSpent: 0, visitCount: 0 })
  expect((await ledgerOf(id)).entries[0]).toMatchObject({
    type: 'REVERSE',
    points: -10,
    balanceAfter: -8,
    transactionId: saleId,
  })
  const climbing = await acme().post(`/customers/${id}/loyalty/adjust`, { points: 3 })
  expect([climbing.status, climbing.data.customer.pointsBalance]).toEqual([200, -5])
})

test('points move with an event, a sale without points makes none', async () => {
  const api = await workspace()
  const { id } = await make({}, api)
  await api.post(`/customers/${id}/loyalty/adjust`, { points: 1 })
  const nothing = { customerId: id, saleId: newId('sale'), eligible: 9_999, total: 9_999 }
  await inTx(deps().db, (tx) => earnForSale(tx, scopeOf(api), nothing))
  expect(await api.events()).toEqual(['service.customer.created.v1', 'service.loyalty.changed.v1'])
})

test('after any history the ledger adds up to the balance', async () => {
  const history = fc.array(
    fc.oneof(
      fc.record({ verb: fc.constant('sell' as const), n: fc.nat(200_000) }),
      fc.record({ verb: fc.constant('void' as const), n: fc.nat(200_000) }),
      fc.record({ verb: fc.constant('adjust' as const), n: fc.integer({ min: -30, max: 30 }) }),
      fc.record({ verb: fc.constant('redeem' as const), n: fc.integer({ min: 1, max: 30 }) }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const { id } = await make()
      let balance = 0
      for (const { verb, n } of steps) {
        if (verb === 'sell' || verb === 'void') {
          const saleId = newId('sale')
          const { pointsEarned } = await sell(id, n, { saleId })
          if (verb === 'sell') balance += pointsEarned
          else {
            const back = { customerId: id, saleId, refundId: null, points: pointsEarned, spent: n, visits: 1 }
            await inTx(deps().db, (tx) => reverseForSale(tx, scopeOf(acme()), back))
          }
          continue
        }
        const answer = await acme().post(`/customers/${id}/loyalty/${verb}`, { points: n })
        const fits = verb === 'adjust' ? n !== 0 && (n > 0 || balance + n >= 0) : n <= balance
        expect(answer.status).toBe(fits ? 200 : 422)
        if (fits) balance += verb === 'adjust' ? n : -n
      }
      const { entries, balance: told } = await ledgerOf(id)
      expect(told).toBe(balance)
      expect(entries.reduce((sum: number, entry: { points: number }) => sum + entry.points, 0)).toBe(balance)
    }),
    { numRuns: 15 },
  )
})

test('a customer of another workspace answers 404 to every verb', async () => {
  const { id } = await make({ name: 'Private' })
  await acme().post(`/customers/${id}/loyalty/adjust`, { points: 5 })
  const answers = [
    await globex().get(`/customers/${id}`),
    await globex().patch(`/customers/${id}`, { name: 'Mine' }),
    await globex().delete(`/customers/${id}`),
    await globex().get(`/customers/${id}/loyalty`),
    await globex().post(`/customers/${id}/loyalty/adjust`, { points: 5 }),
    await globex().post(`/customers/${id}/loyalty/redeem`, { points: 5 }),
  ]
  expect(answers.map(refusalOf)).toMatchObject(Array(6).fill({ status: 404, code: 'NOT_FOUND' }))
  expect((await globex().get('/customers?q=Private')).data.customers).toEqual([])
  const theirs = { customerId: id, saleId: newId('sale'), eligible: 10_000, total: 10_000 }
  await expect(inTx(deps().db, (tx) => earnForSale(tx, scopeOf(globex()), theirs))).rejects.toMatchObject({
    status: 404,
    param: 'customerId',
  })
})
