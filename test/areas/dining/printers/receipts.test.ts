import { expect, test } from 'vitest'
import type { Api } from '../../../support/api.ts'
import { fresh, makeCustomer, makeOutlet, makeSale, openBill } from '../../../support/build.ts'
import { done, refusalOf } from '../../../support/expect.ts'
import { acme, globex, useService } from '../../../support/service.ts'

useService()

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
  done(await acme().post(`/sales/${bill.id}/settle`, { payments: [{ method: 'CASH', amount: 20_000 }] }))
  const print = async (): Promise<string> =>
    done(await acme().post(`/sales/${bill.id}/print`, { printerId })).job.id
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
