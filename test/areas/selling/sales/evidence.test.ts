import { beforeAll, expect, test } from 'vitest'
import { confirmPayment } from '../../../../src/areas/selling/sales/index.ts'
import { inTx } from '../../../../src/platform/db/open.ts'
import { openShop, type Shop, stock } from '../../../support/build.ts'
import { scopeOf } from '../../../support/clients.ts'
import { refusalOf } from '../../../support/expect.ts'
import { levelOf } from '../../../support/read.ts'
import { acme, deps, globex, useService } from '../../../support/service.ts'

useService()

let shop: Shop
beforeAll(async () => {
  shop = await openShop(acme())
  await stock(acme(), shop.outletId, shop.latte, 500)
})

/** What the partner's notice does, once its signature was checked. */
const confirm = (saleId: string, paymentId: string, amount: number, api = acme()) =>
  inTx(deps().db, (tx) =>
    confirmPayment(tx, scopeOf(api), saleId, { paymentId, sessionId: `cks_${paymentId}`, amount }),
  )

/** A bill of 30.000 that waits for a QRIS payment. */
async function waiting(amount = 30_000) {
  const opened = await acme().post('/sales', {
    outletId: shop.outletId,
    items: [{ variantId: shop.latte, quantity: 2 }],
    status: 'PARKED',
    payments: [{ method: 'QRIS', amount, status: 'PENDING', providerRef: `qr-${Math.random()}` }],
  })
  return { id: opened.data.sale.id as string, paymentId: opened.data.sale.payments[0].id as string }
}

const read = async (id: string) => (await acme().get(`/sales/${id}`)).data.sale
const eventsOf = async (paymentId: string) =>
  (
    await deps().db.selectFrom('events').select('type').where('refId', '=', paymentId).orderBy('id').execute()
  ).map((row) => row.type)

test('confirmed money that covers completes the bill, once, however often it is reported', async () => {
  const { id, paymentId } = await waiting()
  const before = (await levelOf(acme(), shop.outletId, shop.latte)) ?? 0
  await Promise.all(Array.from({ length: 20 }, () => confirm(id, paymentId, 30_000)))
  expect(await read(id)).toMatchObject({
    status: 'COMPLETED',
    paidTotal: 30_000,
    payments: [{ amount: 30_000, status: 'PAID', verified: true, applied: true }],
  })
  expect(await levelOf(acme(), shop.outletId, shop.latte)).toBe(before - 2)
  expect(await eventsOf(paymentId)).toEqual(['service.payment.received.v1'])
})

test('money that comes late is kept unapplied and changes nothing of the sale', async () => {
  const { id, paymentId } = await waiting()
  await acme().post(`/sales/${id}/settle`, { payments: [{ method: 'CASH', amount: 30_000 }] })
  const sale = await read(id)
  await confirm(id, paymentId, 30_000)
  const after = await read(id)
  expect({ ...after, payments: [] }).toEqual({ ...sale, payments: [] })
  expect(after.payments).toMatchObject([
    { id: paymentId, status: 'PAID', verified: true, applied: false, amount: 30_000 },
    { method: 'CASH', applied: true },
  ])
  expect(await eventsOf(paymentId)).toEqual(['service.payment.failed.v1', 'service.payment.unapplied.v1'])
})

test('money above what remains is applied up to it; the rest is a record of its own', async () => {
  const { id, paymentId } = await waiting()
  await acme().post(`/sales/${id}/payments`, { method: 'CASH', amount: 10_000 })
  await confirm(id, paymentId, 30_000)
  const sale = await read(id)
  expect(sale).toMatchObject({ status: 'COMPLETED', paidTotal: 30_000 })
  const parts = sale.payments.filter((row: { method: string }) => row.method === 'QRIS')
  expect(parts).toMatchObject([
    { amount: 20_000, applied: true },
    { amount: 10_000, applied: false, status: 'PAID' },
  ])
  expect(await eventsOf(parts[1].id)).toEqual(['service.payment.unapplied.v1'])
})

test('evidence turns a failed tender of an open bill into a paid one', async () => {
  const { id, paymentId } = await waiting()
  const { providerRef } = (await read(id)).payments[0]
  await acme().post(`/sales/${id}/payments`, {
    method: 'QRIS',
    amount: 30_000,
    status: 'FAILED',
    providerRef,
  })
  await confirm(id, paymentId, 30_000)
  expect(await read(id)).toMatchObject({
    status: 'COMPLETED',
    payments: [{ status: 'PAID', verified: true }],
  })
})

test('a bill with confirmed money cannot be discarded; a void asks the partner to give it back', async () => {
  const part = await waiting(10_000)
  await confirm(part.id, part.paymentId, 10_000)
  const refused = await acme().post(`/sales/${part.id}/discard`)
  expect(refusalOf(refused)).toMatchObject({ status: 409, code: 'CONFLICT' })
  await acme().post(`/sales/${part.id}/settle`, { payments: [{ method: 'CASH', amount: 20_000 }] })
  expect((await acme().post(`/sales/${part.id}/void`)).status).toBe(200)
  expect(await eventsOf(part.paymentId)).toEqual([
    'service.payment.received.v1',
    'service.payment.unapplied.v1',
  ])
})

test.each([
  ['void', 30_000],
  ['discard', 10_000],
])(
  'money that is confirmed once a %s is done is announced as what a void gives back',
  async (end, amount) => {
    const { id, paymentId } = await waiting(amount)
    const { providerRef } = (await read(id)).payments[0]
    // The customer shows that they paid; the partner has not said so yet.
    expect((await acme().post(`/sales/${id}/payments`, { method: 'QRIS', amount, providerRef })).status).toBe(
      200,
    )
    expect((await acme().post(`/sales/${id}/${end}`)).status).toBe(200)
    await confirm(id, paymentId, amount)
    await confirm(id, paymentId, amount)
    expect(await read(id)).toMatchObject({ status: 'VOIDED', payments: [{ status: 'PAID', verified: true }] })
    expect(await eventsOf(paymentId)).toEqual(['service.payment.received.v1', 'service.payment.unapplied.v1'])
  },
)

test('a tender of another workspace, or of no sale, is unknown', async () => {
  const { id, paymentId } = await waiting()
  expect(await confirm(id, paymentId, 30_000, globex())).toBeNull()
  expect(await confirm(id, 'pay_none', 30_000)).toBeNull()
  expect(await read(id)).toMatchObject({ status: 'PARKED', payments: [{ status: 'PENDING' }] })
})
