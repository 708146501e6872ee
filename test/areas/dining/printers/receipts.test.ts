import { expect, test } from 'vitest'
import { printerExpires } from '../../../../src/areas/dining/printers/index.ts'
import { manualClock } from '../../../../src/platform/clock.ts'
import { sweep } from '../../../../src/platform/jobs/sweep.ts'
import type { Api } from '../../../support/api.ts'
import { fresh, makeCustomer, makeOutlet, makeSale, makeVariant, openBill } from '../../../support/build.ts'
import { done, refusalOf } from '../../../support/expect.ts'
import { acme, deps, globex, useService } from '../../../support/service.ts'

const clock = manualClock('2026-05-04T02:00:00.000Z')
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

useService({ clock })

const printerAt = async (api: Api, outletId: string, fields: object = {}): Promise<string> => {
  const body = { outletId, name: fresh('Printer'), kind: 'NETWORK', host: '192.168.1.50', ...fields }
  return done(await api.post('/printers', body)).printer.id
}
const bytesOf = async (jobId: string) =>
  Buffer.from((await acme().get(`/print-jobs/${jobId}/content`)).text, 'latin1')
const KICK = Buffer.from([0x1b, 0x70, 0])

test('a bill before it is paid says that it is no receipt, in both languages, and thanks nobody', async () => {
  const { id } = await openBill(acme())
  for (const [lang, words] of [
    ['id', ['TAGIHAN', 'Bukan bukti pembayaran', 'Sisa tagihan']],
    ['en', ['BILL', 'Not a receipt', 'Left to pay']],
  ] as const) {
    const { text } = await acme().get(`/sales/${id}/receipt?kind=bill&format=text&lang=${lang}`)
    for (const word of words) expect(text).toContain(word)
    expect(text).not.toMatch(/Terima kasih|Thank you/)
    expect(text.split(words[1]).length).toBe(3)
  }
  const bytes = Buffer.from((await acme().get(`/sales/${id}/receipt?kind=bill&format=escpos`)).text, 'latin1')
  expect(bytes.includes(KICK)).toBe(false)
})

test('without a kind the paper is as before, and a sale that is not open has no bill', async () => {
  const { id } = await openBill(acme())
  expect((await acme().get(`/sales/${id}/receipt?format=text`)).text).not.toContain('Bukan bukti')
  const sale = await makeSale(acme())
  expect(refusalOf(await acme().get(`/sales/${sale.id}/receipt?kind=bill`))).toEqual({
    status: 409,
    code: 'CONFLICT',
  })
  expect(refusalOf(await acme().get(`/sales/${id}/receipt?kind=invoice`))).toEqual({
    status: 400,
    code: 'VALIDATION_ERROR',
    param: 'kind',
  })
})

test('the first receipt of a sale paid in cash opens the drawer of its printer, no other paper does', async () => {
  const outletId = await makeOutlet(acme())
  const printerId = await printerAt(acme(), outletId, { opensDrawer: true })
  const bill = await openBill(acme(), { outletId })
  const asBill = done(await acme().post(`/sales/${bill.id}/print`, { printerId, kind: 'bill' })).job
  expect(asBill).toMatchObject({ kind: 'RECEIPT', saleId: bill.id, printerId, status: 'queued' })
  expect((await bytesOf(asBill.id)).includes(KICK)).toBe(false)
  const print = async (): Promise<string> =>
    done(await acme().post(`/sales/${bill.id}/print`, { printerId })).job.id
  expect((await bytesOf(await print())).includes(KICK)).toBe(false)
  done(await acme().post(`/sales/${bill.id}/settle`, { payments: [{ method: 'CASH', amount: 20_000 }] }))
  expect((await bytesOf(await print())).includes(KICK)).toBe(true)
  expect((await bytesOf(await print())).includes(KICK)).toBe(false)
  const byCash = await makeSale(acme(), { outletId })
  const opened = { printerId, opensDrawer: false }
  const atTill = done(await acme().post(`/sales/${byCash.id}/print`, opened)).job
  expect((await bytesOf(atTill.id)).includes(KICK)).toBe(false)
  const byCard = await makeSale(acme(), { outletId, payments: [{ method: 'CARD', amount: 20_000 }] })
  const { job } = done(await acme().post(`/sales/${byCard.id}/print`, { printerId }))
  expect((await bytesOf(job.id)).includes(KICK)).toBe(false)
})

const counter = async () => {
  const outletId = await makeOutlet(acme())
  return { outletId, printerId: await printerAt(acme(), outletId, { opensDrawer: true }) }
}
/** Prints the receipt. Returns whether the printer gets the pulse that opens the drawer. */
const opensDrawer = async (saleId: string, body: object): Promise<boolean> => {
  const { job } = done(await acme().post(`/sales/${saleId}/print`, body))
  return (await bytesOf(job.id)).includes(KICK)
}

test('a further receipt leaves the drawer closed if the till opened it before the first one', async () => {
  const { outletId, printerId } = await counter()
  const { id } = await makeSale(acme(), { outletId })
  expect(await opensDrawer(id, { printerId, opensDrawer: false })).toBe(false)
  expect(await opensDrawer(id, { printerId })).toBe(false)
})

test('a further receipt leaves the drawer closed after the job of the first one was removed by age', async () => {
  const { outletId, printerId } = await counter()
  const { id } = await makeSale(acme(), { outletId })
  expect(await opensDrawer(id, { printerId })).toBe(true)
  clock.advance(31 * DAY)
  await sweep(deps(), printerExpires)
  expect(done(await acme().get(`/print-jobs?printerId=${printerId}`))).toEqual([])
  expect(await opensDrawer(id, { printerId })).toBe(false)
})

test('a first receipt opens the drawer within 30 minutes of the sale and not later', async () => {
  const { outletId, printerId } = await counter()
  const [first, second] = [await makeSale(acme(), { outletId }), await makeSale(acme(), { outletId })]
  clock.advance(30 * MINUTE)
  expect(await opensDrawer(first.id, { printerId })).toBe(true)
  clock.advance(1)
  expect(await opensDrawer(second.id, { printerId })).toBe(false)
})

test('the 30 minutes of a sale that a till made offline begin with the sale, and its clock opens no drawer twice', async () => {
  const { outletId, printerId } = await counter()
  const variantId = await makeVariant(acme(), { price: 10_000 })
  const sellAt = async (soldAt: string): Promise<string> => {
    const offline = { ref: fresh('TILL-1'), soldAt, terms: {}, printedTotal: 10_000 }
    const items = [{ variantId, quantity: 1, unitPrice: 10_000 }]
    return (await makeSale(acme(), { outletId, items, offline })).id
  }
  const earlier = await sellAt(new Date(clock.ms() - 30 * MINUTE - 1).toISOString())
  expect(await opensDrawer(earlier, { printerId })).toBe(false)
  const ahead = await sellAt(new Date(clock.ms() + MINUTE).toISOString())
  expect(await opensDrawer(ahead, { printerId })).toBe(true)
  expect(await opensDrawer(ahead, { printerId })).toBe(false)
})

test('one of twenty receipts that are printed at the same time opens the drawer', async () => {
  const { outletId, printerId } = await counter()
  // The first round opens the connections, so its requests hardly overlap.
  for (let round = 0; round < 4; round += 1) {
    const { id } = await makeSale(acme(), { outletId })
    const opened = await Promise.all(Array.from({ length: 20 }, () => opensDrawer(id, { printerId })))
    expect(opened.filter(Boolean)).toHaveLength(1)
  }
})

test('a receipt is printed on a printer of its outlet', async () => {
  const sale = await makeSale(acme())
  const elsewhere = await printerAt(acme(), await makeOutlet(acme()))
  expect(refusalOf(await acme().post(`/sales/${sale.id}/print`, { printerId: elsewhere }))).toEqual({
    status: 422,
    code: 'VALIDATION_ERROR',
    param: 'printerId',
  })
  const foreign = await printerAt(globex(), await makeOutlet(globex()))
  expect(refusalOf(await acme().post(`/sales/${sale.id}/print`, { printerId: foreign }))).toEqual({
    status: 404,
    code: 'NOT_FOUND',
    param: 'printerId',
  })
  const printerId = await printerAt(acme(), sale.outletId)
  expect(refusalOf(await acme().post(`/sales/${sale.id}/print`, { printerId, kind: 'bill' }))).toEqual({
    status: 409,
    code: 'CONFLICT',
  })
})

test('an erased customer leaves no printed receipt behind', async () => {
  const customerId = await makeCustomer(acme(), { name: 'Dewi Lestari' })
  const sale = await makeSale(acme(), { customerId })
  const printerId = await printerAt(acme(), sale.outletId)
  const { job } = done(await acme().post(`/sales/${sale.id}/print`, { printerId }))
  expect((await acme().get(`/print-jobs/${job.id}/content?format=text`)).text).toContain('Dewi Lestari')
  done(await acme().delete(`/customers/${customerId}`))
  expect(refusalOf(await acme().get(`/print-jobs/${job.id}/content`))).toEqual({
    status: 404,
    code: 'NOT_FOUND',
  })
})
