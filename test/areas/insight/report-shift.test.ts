import { beforeAll, expect, test } from 'vitest'
import { manualClock } from '../../../src/platform/clock.ts'
import type { Api } from '../../support/api.ts'
import { makeOutlet, openShop, type Shop } from '../../support/build.ts'
import { printedBy } from '../../support/escpos.ts'
import { done } from '../../support/expect.ts'
import { acme, address, useService } from '../../support/service.ts'

// One in the afternoon in Jakarta.
const clock = manualClock('2026-03-10T06:00:00.000Z')
useService({ clock })

let api: Api
let shop: Shop
let shiftId = ''
beforeAll(async () => {
  api = acme()
  shop = await openShop(api, { taxRateBps: 1000 })
  shiftId = done(await api.post('/shifts/open', { outletId: shop.outletId, openingFloat: 100_000 })).shift.id
  const sell = async (quantity: number, more: object = {}) =>
    done(
      await api.post('/sales', {
        outletId: shop.outletId,
        items: [{ variantId: shop.latte, quantity }],
        status: 'COMPLETED',
        ...more,
      }),
    ).sale
  const first = await sell(2)
  await sell(1, { payments: [{ method: 'QRIS', amount: 16_500 }] })
  const wrong = await sell(3)
  done(await api.post(`/sales/${wrong.id}/void`, { reason: 'twice' }))
  done(
    await api.post(`/sales/${first.id}/refund`, {
      lines: [{ transactionItemId: first.items[0].id, qty: 1 }],
    }),
  )
  done(
    await api.post(`/shifts/${shiftId}/cash-movements`, {
      type: 'PAID_OUT',
      amount: 20_000,
      reason: 'Es batu',
    }),
  )
})

const close = async () => {
  clock.advance(3_600_000)
  done(await api.post(`/shifts/${shiftId}/close`, { countedCash: 96_000, notes: 'Kurang 500' }))
}

test('a drawer on paper has every figure, as X while it is open and as Z once it is closed', async () => {
  const open = (await api.get(`/reports/shifts/${shiftId}?format=text&width=58`)).text
  expect([open.includes('*** LAPORAN X ***'), open.includes('Dihitung')]).toEqual([true, false])
  await close()
  const { text } = await api.get(`/reports/shifts/${shiftId}?format=text&width=58`)
  expect(text.split('\n').map((line) => line.trimEnd())).toEqual([
    '              Acme',
    '             Kemang',
    '       *** LAPORAN Z ***',
    'Kasir                  Acme till',
    'Dibuka          10/03/2026 13:00',
    'Ditutup         10/03/2026 14:00',
    'Struk  260310-0001 - 260310-0003',
    '--------------------------------',
    'Transaksi                      2',
    'Penjualan kotor        Rp 45.000',
    'Diskon                      Rp 0',
    'Pajak                   Rp 4.500',
    'Pengembalian (1)      -Rp 16.500',
    'Batal (1)             -Rp 49.500',
    '--------------------------------',
    'PEMBAYARAN',
    'Tunai (2)              Rp 82.500',
    '  Pengembalian        -Rp 66.000',
    '  =                    Rp 16.500',
    'QRIS (1)               Rp 16.500',
    '--------------------------------',
    'LACI KAS',
    'Modal awal            Rp 100.000',
    'Penjualan tunai        Rp 82.500',
    'Pengembalian tunai    -Rp 66.000',
    'Kas masuk                   Rp 0',
    'Kas keluar            -Rp 20.000',
    '  Es batu             -Rp 20.000',
    'Seharusnya             Rp 96.500',
    'Dihitung               Rp 96.000',
    'Selisih                  -Rp 500',
    '--------------------------------',
    'Catatan',
    'Kurang 500',
    '--------------------------------',
    'Tanda tangan',
    '',
    '',
    '',
  ])
})

test('the same lines come out of a printer and stand on the page', async () => {
  const path = `${address()}/api/v1/reports/shifts/${shiftId}`
  const ask = (format: string) =>
    fetch(`${path}?format=${format}&width=58&lang=en`, {
      headers: { authorization: `Bearer ${api.workspace.key}` },
    })
  const bytes = await ask('escpos')
  expect(bytes.headers.get('content-disposition')).toBe(`attachment; filename="shift-${shiftId}.bin"`)
  const { lines, cuts } = printedBy(new Uint8Array(await bytes.arrayBuffer()))
  const printed = lines.map((line: { text: string }) => line.text.trim())
  expect([cuts, printed.includes('Z REPORT'), printed.includes('Difference               -Rp 500')]).toEqual([
    1,
    true,
    true,
  ])
  const page = await ask('html')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await page.text()).toContain('<span>Counted</span><span>Rp 96.000</span>')
})

test('the record adds up: returned is the refunds of the summary, and its rows are the sales of the shift', async () => {
  const report = done(await api.get(`/reports/shifts/${shiftId}`))
  const { returned, shift, rows, receipts } = report
  expect(returned).toEqual({
    refunds: { count: 1, amount: 16_500 },
    voids: { count: 1, amount: 49_500 },
    discards: { count: 0, amount: 0 },
  })
  expect(shift.summary.refunds).toBe(66_000)
  expect(receipts).toEqual({ first: '260310-0001', last: '260310-0003' })
  const sold = (await api.get(rows.sales)).data.filter(
    ({ status }: { status: string }) => status === 'COMPLETED',
  )
  expect([sold.length, sold.reduce((sum: number, { total }: { total: number }) => sum + total, 0)]).toEqual([
    2, 49_500,
  ])
  const { text } = await api.get(`/reports/shifts/${shiftId}?format=csv`)
  expect(text).toContain('\r\nQRIS amount,16500\r\n')
  expect(text).toContain('\r\nPAID_OUT Es batu,20000\r\n')
})

test('an unknown shift is 404', async () => {
  await makeOutlet(api)
  expect((await api.get('/reports/shifts/shf_nobody')).status).toBe(404)
})
