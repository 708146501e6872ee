import { encode } from 'uqr'
import { expect, test } from 'vitest'
import type { Api } from '../../support/api.ts'
import { fresh, makeSale, openBill } from '../../support/build.ts'
import { done } from '../../support/expect.ts'
import { pngOf } from '../../support/images.ts'
import { acme, address, useService } from '../../support/service.ts'
import { upload } from '../../support/uploads.ts'

useService()

const printerOf = async (api: Api, outletId: string, paper: 58 | 80 = 80): Promise<string> => {
  const body = { outletId, name: fresh('Printer'), kind: 'NETWORK', host: '192.168.1.50', paper }
  return done(await api.post('/printers', body)).printer.id
}
const printed = async (saleId: string, body: object): Promise<string> =>
  done(await acme().post(`/sales/${saleId}/print`, body)).job.id
const read = async (path: string): Promise<Buffer> => {
  const headers = { authorization: `Bearer ${acme().workspace.key}` }
  return Buffer.from(await (await fetch(`${address()}/api/v1${path}`, { headers })).arrayBuffer())
}
const htmlOf = async (jobId: string) => String(await read(`/print-jobs/${jobId}/content?format=html`))
const addressIn = (html: string) => /class="q"[^>]*aria-label="([^"]+)"/.exec(html)?.[1] ?? null

/** The picture that ends at the last strip of ESC/POS bytes (GS v 0): a row of dots for each line. */
function lastPicture(bytes: Buffer): string[] {
  const strips: string[][] = []
  for (
    let at = bytes.indexOf('\x1dv0\0', 0, 'latin1');
    at >= 0;
    at = bytes.indexOf('\x1dv0\0', at, 'latin1')
  ) {
    const [across, rows] = [bytes.readUInt16LE(at + 4), bytes.readUInt16LE(at + 6)]
    strips.push(
      Array.from({ length: rows }, (_, row) =>
        [...bytes.subarray(at + 8 + row * across, at + 8 + (row + 1) * across)]
          .map((byte) => byte.toString(2).padStart(8, '0'))
          .join(''),
      ),
    )
    at += 8 + across * rows
  }
  return strips.flat()
}

test('a receipt that is printed as a job has the logo of the receipt, on the paper of its printer', async () => {
  const logo = await upload(acme(), pngOf(64, 24))
  done(await acme().put('/settings', { logoUrl: logo.publicUrl }))
  const { id, outletId } = await makeSale(acme())
  for (const paper of [58, 80] as const) {
    const job = await printed(id, { printerId: await printerOf(acme(), outletId, paper) })
    const bytes = await read(`/print-jobs/${job}/content`)
    expect(bytes.equals(await read(`/sales/${id}/receipt?format=escpos&width=${paper}`))).toBe(true)
    expect(lastPicture(bytes).length).toBe(24)
    expect(await htmlOf(job)).toContain(`<img src="${logo.publicUrl}"`)
  }
  done(await acme().put('/settings', { logoUrl: null }))
})

test('with receiptQr a printed receipt ends in the QR code of a public page, and a reprint has the same', async () => {
  const { id, outletId } = await makeSale(acme())
  const printerId = await printerOf(acme(), outletId)
  expect(addressIn(await htmlOf(await printed(id, { printerId })))).toBe(null)
  done(await acme().put('/settings', { receiptQr: true }))
  const job = await printed(id, { printerId, lang: 'en' })
  const html = await htmlOf(job)
  expect(html).toContain('This receipt on your phone')
  const url = addressIn(html) ?? ''
  expect(url).toMatch(/^http:\/\/[^/]+\/r\/.{30,}$/)
  const page = await fetch(`${address()}${new URL(url).pathname}`)
  expect([page.status, (await page.text()).includes('TOTAL')]).toEqual([200, true])
  const bytes = await read(`/print-jobs/${job}/content`)
  const picture = lastPicture(bytes)
  const { size, data } = encode(url, { ecc: 'M', border: 4 })
  const perModule = picture.length / size
  const left = (576 - picture.length) / 2
  expect(Number.isInteger(perModule)).toBe(true)
  const modules = data.map((row, y) =>
    row.map((_, x) => picture[y * perModule]?.[Math.floor(left) + x * perModule] === '1'),
  )
  expect(modules).toEqual(data)
  const other = addressIn(await htmlOf(await printed(id, { printerId })))
  expect([other === null, other === url]).toEqual([false, false])
  done(await acme().put('/settings', { receiptQr: false }))
})

test('a bill before it is paid and a receipt without the setting have no QR code', async () => {
  done(await acme().put('/settings', { receiptQr: true }))
  const bill = await openBill(acme())
  const printerId = await printerOf(acme(), bill.outletId)
  expect(addressIn(await htmlOf(await printed(bill.id, { printerId, kind: 'bill' })))).toBe(null)
  done(await acme().put('/settings', { receiptQr: false }))
  expect(addressIn(await htmlOf(await printed(bill.id, { printerId })))).toBe(null)
})
