import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clean, percent, rupiah } from '../../../../src/core/paper/format.ts'
import { linesOf, widthOf, wrap } from '../../../../src/core/paper/layout.ts'
import { manualClock } from '../../../../src/platform/clock.ts'
import type { Answer, Api } from '../../../support/api.ts'
import { openShop, type Shop } from '../../../support/build.ts'
import { assertCustomerTotals, assertLedgerInvariants, refusalOf } from '../../../support/expect.ts'
import { acme, address, deps, globex, useService, workspace } from '../../../support/service.ts'
import { type SentStatement, watching } from '../../../support/statements.ts'

const clock = manualClock('2026-11-21T05:05:00.000Z')
useService({ clock })

let shop: Shop
beforeAll(async () => {
  shop = await openShop(acme(), {
    name: 'Kopi Kemang',
    address: 'Jl. Kemang Raya 8\nJakarta Selatan',
    phone: '021-555',
    receiptHeader: 'Wifi: kopisusu',
    receiptFooter: 'Terima kasih',
    taxRateBps: 1_100,
    taxLabel: 'PPN',
  })
  await acme().put('/settings', { businessName: 'PT Kopi Senja', npwp: '01.234.567.8-901.234' })
})
afterAll(async () => {
  await assertLedgerInvariants(deps().db)
  await assertCustomerTotals(deps().db)
})

const sell = async (fields: Record<string, unknown>, api = acme()) => {
  const sold = await api.post('/sales', { outletId: shop.outletId, ...fields })
  expect(sold.status, sold.text).toBe(201)
  return sold.data.sale
}
const print = (id: string, query = '', api: Api = acme()): Promise<Answer> =>
  api.get(`/sales/${id}/receipt${query}`)
const textOf = async (id: string, query = '&width=58') => (await print(id, `?format=text${query}`)).text

const cart = () => ({
  items: [
    {
      variantId: shop.latte,
      quantity: 2,
      modifiers: [{ name: 'Extra shot', price: 4_000 }],
      discount: 3_000,
    },
    { variantId: shop.cake, quantity: 1 },
  ],
  orderDiscount: 2_500,
  deliveryFee: 10_000,
  payments: [
    { method: 'QRIS', amount: 20_000 },
    { method: 'CASH', amount: 50_000, tendered: 50_000 },
  ],
})

test('a receipt asks the database once, whatever it names beside the sale', async () => {
  const { id } = await sell(cart())
  await textOf(id)
  const sent: SentStatement[] = []
  await watching(
    (one) => sent.push(one),
    () => textOf(id),
  )
  // The sale before may still be announced to live boards.
  const others = /^(?:auth_api_keys|live_notify)/
  expect(sent.map(({ name = '' }) => name).filter((name) => !others.test(name))).toEqual(['sale_printed'])
})

test('58 mm of text add up line by line, in the time of the outlet', async () => {
  const sale = await sell(cart())
  expect(await textOf(sale.id)).toBe(`         PT Kopi Senja
          Kopi Kemang
       Jl. Kemang Raya 8
        Jakarta Selatan
            021-555
   NPWP 01.234.567.8-901.234
         Wifi: kopisusu
--------------------------------
No.                  ${sale.number}
Waktu           21/11/2026 12:05
Kasir                  Acme till
--------------------------------
Latte
  2 x Rp 15.000        Rp 30.000
  + Extra shot          Rp 8.000
  Diskon               -Rp 3.000
Cake
  1 x Rp 7.500          Rp 7.500
--------------------------------
Subtotal               Rp 42.500
Diskon                 -Rp 2.500
PPN 11%                 Rp 4.400
Ongkos kirim           Rp 10.000
TOTAL                  Rp 54.400
QRIS                   Rp 20.000
Tunai                  Rp 50.000
Kembali                Rp 15.600
--------------------------------
          Terima kasih
`)
})

test('80 mm have 48 columns, and English is spoken on request', async () => {
  const sale = await sell(cart())
  const text = await textOf(sale.id, '&lang=en')
  expect(text).toContain(`TOTAL${' '.repeat(34)}Rp 54.400\n`)
  expect(text).toContain(`Change${' '.repeat(33)}Rp 15.600\n`)
})

test('an inclusive outlet says how much of the total is tax, one without tax says nothing', async () => {
  const inclusive = await openShop(acme(), { taxRateBps: 1_050, taxInclusive: true })
  const free = await openShop(acme())
  const sold = async ({ outletId, latte }: Shop, query?: string) =>
    textOf(
      (await sell({ outletId, items: [{ variantId: latte, quantity: 1 }], status: 'COMPLETED' })).id,
      query,
    )
  expect(await sold(inclusive)).toContain(
    'TOTAL                  Rp 15.000\nTermasuk Pajak 10,5%    Rp 1.425\n',
  )
  expect(await sold(inclusive, '&width=58&lang=en')).toContain('Includes Tax 10.5%      Rp 1.425\n')
  expect(await sold(free)).not.toContain('ajak')
})

test('an open bill is marked as a bill with what is left to pay', async () => {
  const sale = await sell({
    items: [{ variantId: shop.bag, quantity: 4 }],
    payments: [{ method: 'CASH', amount: 1_000 }],
  })
  const text = await textOf(sale.id)
  expect(text).toContain('*** TAGIHAN ***')
  expect(text).toContain('Sisa tagihan            Rp 1.220\n')
})

test('a voided sale is marked at both ends with its reason', async () => {
  const sale = await sell({ items: [{ variantId: shop.bag, quantity: 4 }], status: 'COMPLETED' })
  await acme().post(`/sales/${sale.id}/void`, { reason: 'salah pesan' })
  const text = await textOf(sale.id)
  expect(text.match(/\*\*\* BATAL \*\*\*/g)).toHaveLength(2)
  expect(text).toContain('Dibatalkan      21/11/2026 12:05\nsalah pesan\n')
})

test('refunds are listed with how the money left, and what remains of the total', async () => {
  const sale = await sell({ items: [{ variantId: shop.bag, quantity: 4 }], status: 'COMPLETED' })
  await acme().post(`/sales/${sale.id}/refund`, { amount: 500 })
  await acme().post(`/sales/${sale.id}/refund`, { amount: 700, refundToStoreCredit: true })
  expect(await textOf(sale.id)).toContain(`--------------------------------
Pengembalian    21/11/2026 12:05
  Tunai                  -Rp 500
Pengembalian    21/11/2026 12:05
  Saldo toko             -Rp 700
Setelah pengembalian    Rp 1.020
`)
})

test('a sale paid back says so, names what came back and earns no points', async () => {
  const customerId = (await acme().post('/customers', { name: 'Ani' })).data.customer.id
  const sale = await sell({
    customerId,
    items: [
      { variantId: shop.latte, quantity: 2 },
      { variantId: shop.bag, quantity: 1 },
    ],
    deliveryFee: 5_000,
    status: 'COMPLETED',
  })
  expect(sale.pointsEarned).toBe(3)
  await acme().post(`/sales/${sale.id}/refund`, {
    lines: [{ transactionItemId: sale.items[0].id, qty: 1 }],
  })
  const half = await textOf(sale.id)
  expect(half).toContain('Poin didapat                   1\n')
  expect(half).not.toContain('DIKEMBALIKAN')
  await acme().post(`/sales/${sale.id}/refund`, {})
  const text = await textOf(sale.id)
  expect(text).toContain('*** DIKEMBALIKAN ***')
  expect(text).toContain(`--------------------------------
Pengembalian    21/11/2026 12:05
  1 x Latte           -Rp 16.650
  Tunai               -Rp 16.650
Pengembalian    21/11/2026 12:05
  1 x Latte           -Rp 16.650
  1 x Bag                -Rp 555
  Ongkos kirim         -Rp 5.000
  Tunai               -Rp 22.205
Setelah pengembalian        Rp 0
--------------------------------
          Terima kasih
`)
  expect(text).not.toContain('Poin')
  expect(await textOf(sale.id, '&width=58&lang=en')).toContain('*** REFUNDED ***')
})

test('lines of a refund for an agreed amount bear no amounts of their own', async () => {
  const sale = await sell({ items: [{ variantId: shop.latte, quantity: 2 }], status: 'COMPLETED' })
  await acme().post(`/sales/${sale.id}/refund`, {
    lines: [{ transactionItemId: sale.items[0].id, qty: 1 }],
    amount: 10_000,
  })
  expect(await textOf(sale.id)).toContain('\n  1 x Latte\n  Tunai               -Rp 10.000\n')
})

test('twenty refunds are listed one by one, those before them as a sum', async () => {
  const sale = await sell({ items: [{ variantId: shop.latte, quantity: 1 }], status: 'COMPLETED' })
  for (let amount = 1; amount <= 25; amount += 1) {
    expect((await acme().post(`/sales/${sale.id}/refund`, { amount })).status).toBe(200)
  }
  const text = await textOf(sale.id)
  expect(text).toContain('5 lainnya                 -Rp 15\nPengembalian')
  expect(text.match(/Pengembalian /g)).toHaveLength(20)
  expect(text).toContain('Setelah pengembalian   Rp 16.325\n')
})

test('customer, table, order type and points are named; a gift card shows the end of its code only', async () => {
  const customerId = (await acme().post('/customers', { name: 'Budi' })).data.customer.id
  const tableId = (await acme().post('/tables', { outletId: shop.outletId, label: 'A1' })).data.table.id
  const { code } = (await acme().post('/gift-cards', { amount: 100_000 })).data.giftCard
  const sale = await sell({
    customerId,
    tableId,
    items: [{ variantId: shop.latte, quantity: 3 }],
    payments: [{ method: 'GIFT_CARD', amount: 49_950, reference: code }],
  })
  const text = await textOf(sale.id)
  expect(text).toContain(
    'Meja                          A1\nPelanggan                   Budi\nMakan di tempat\n',
  )
  expect(text).toContain(`Kartu hadiah ****${code.slice(-4)}  Rp 49.950\n`)
  expect(text).toContain('Poin didapat                   4\n')
  expect(text).not.toContain(code)
})

describe('the last line', () => {
  let plain: Shop
  const textIn = async (fields: object, { outletId, bag }: Shop, query?: string) => {
    const put = await acme().put('/settings', fields)
    expect(put.status, put.text).toBe(200)
    const sale = await sell({ outletId, items: [{ variantId: bag, quantity: 1 }], status: 'COMPLETED' })
    return textOf(sale.id, query)
  }
  beforeAll(async () => {
    plain = await openShop(acme(), { name: 'PT Kopi Senja' })
  })
  afterAll(async () => {
    await acme().put('/settings', { receiptThanks: null })
  })

  test('thanks in the language of the receipt where nobody chose words', async () => {
    expect(await textIn({}, plain)).toMatch(/-\n {10}Terima kasih\n$/)
    expect(await textIn({}, plain, '&width=58&lang=en')).toMatch(/-\n {11}Thank you\n$/)
  })

  test('is the outlet’s own footer, under which we thank no second time', async () => {
    const own = await openShop(acme(), { receiptFooter: 'Sampai jumpa' })
    expect(await textIn({}, own)).toMatch(/-\n {10}Sampai jumpa\n$/)
    expect(await textIn({ receiptThanks: 'Hatur nuhun' }, own)).toMatch(
      /-\n {10}Sampai jumpa\n {10}Hatur nuhun\n$/,
    )
  })

  test('is what the shop chose, or nothing when it chose nothing', async () => {
    expect(await textIn({ receiptThanks: ' Hatur nuhun\nSampurasun ' }, plain)).toMatch(
      /-\n {10}Hatur nuhun\n {11}Sampurasun\n$/,
    )
    expect(await textIn({ receiptThanks: '' }, plain)).toMatch(/Tunai +Rp 500\n$/)
  })

  test('an outlet named like its business is named once', async () => {
    expect((await textIn({}, plain)).match(/PT Kopi Senja/g)).toHaveLength(1)
  })
})

test.each([
  ['012345678901234', 'NPWP 01.234.567.8-901.234'],
  ['0123456789012345', 'NPWP 0123456789012345'],
])('the tax number %s is printed as %s', async (npwp, text) => {
  await acme().put('/settings', { npwp })
  const sale = await sell({ items: [{ variantId: shop.bag, quantity: 1 }], status: 'COMPLETED' })
  expect(await textOf(sale.id)).toContain(` ${text}\n`)
})

describe('html', () => {
  test('is a whole page of the asked width that may load and run nothing', async () => {
    const sale = await sell(cart())
    const page = await print(sale.id, '?width=58')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const style = /<style>([^<]*)<\/style>/.exec(page.text)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(page.headers.get('content-security-policy')).toBe(
      `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; style-src 'sha256-${hash}'`,
    )
    expect(page.text).toMatch(/^<!doctype html>\n<html lang="id">/)
    expect(page.text).toContain('@page{size:58mm 107mm;margin:0}')
    expect(page.text).toContain('<p class="p b"><span>TOTAL</span><span>Rp 54.400</span></p>')
  })

  test('every text of a shop or a customer is escaped', async () => {
    const evil = `<script>alert(1)</script>"'&`
    const { outletId } = await openShop(acme(), {
      name: evil,
      receiptHeader: evil,
      receiptFooter: evil,
      taxLabel: evil,
      taxRateBps: 1_100,
    })
    await acme().put('/settings', { businessName: `PT ${evil}`, receiptThanks: evil })
    const { data } = await acme().post('/products', { name: evil, variants: [{ name: evil, price: 1 }] })
    const customerId = (await acme().post('/customers', { name: evil })).data.customer.id
    const item = {
      variantId: data.product.variants[0].id,
      quantity: 1,
      modifiers: [{ name: evil, price: 1 }],
    }
    const sale = await sell({ outletId, customerId, items: [item], status: 'COMPLETED' })
    await acme().post(`/sales/${sale.id}/void`, { reason: evil })
    const page = (await print(sale.id)).text
    expect(page).not.toContain('<script')
    expect(
      page.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&apos;&amp;/g)?.length,
    ).toBeGreaterThanOrEqual(10)
  })
})

describe('escpos', () => {
  const bytesOf = async (id: string, query = '') => {
    const response = await fetch(`${address()}/api/v1/sales/${id}/receipt?format=escpos${query}`, {
      headers: { authorization: `Bearer ${acme().workspace.key}` },
    })
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    return Buffer.from(await response.arrayBuffer())
  }

  test('starts with a reset, says what the text says and ends with a cut', async () => {
    const sale = await sell(cart())
    const bytes = await bytesOf(sale.id, '&width=58')
    expect(bytes.subarray(0, 2).toString('hex')).toBe('1b40')
    expect(bytes.includes('TOTAL                  Rp 54.400')).toBe(true)
    expect(bytes.includes(Buffer.from('1d5601', 'hex'))).toBe(true)
  })

  test('no name can talk to the printer: control characters never reach it', async () => {
    const { data } = await acme().post('/products', {
      name: 'Kopi \u001bp0\u001d V é☕😀',
      variants: [{ price: 1 }],
    })
    const sale = await sell({
      items: [{ variantId: data.product.variants[0].id, quantity: 1 }],
      status: 'COMPLETED',
    })
    const bytes = await bytesOf(sale.id)
    expect(bytes.includes(Buffer.from('\u001bp', 'latin1'))).toBe(false)
    expect(bytes.includes('Kopi p0 V')).toBe(true)
  })
})

test.each([
  ['?format=pdf', 'format'],
  ['?width=57', 'width'],
  ['?lang=jv', 'lang'],
])('a receipt with %s is refused with 400', async (query, param) => {
  const sale = await sell({ items: [{ variantId: shop.bag, quantity: 1 }], status: 'COMPLETED' })
  const refused = await print(sale.id, query)
  expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
})

test('a sale of another workspace and an unknown one are 404', async () => {
  const sale = await sell({ items: [{ variantId: shop.bag, quantity: 1 }], status: 'COMPLETED' })
  for (const answer of [
    await print(sale.id, '', globex()),
    await print('txn_unknown', '', await workspace()),
  ]) {
    expect(refusalOf(answer)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  }
})

test.each([
  [0, 'Rp 0'],
  [500, 'Rp 500'],
  [12_500, 'Rp 12.500'],
  [-1_000_000, '-Rp 1.000.000'],
  [1_000_000_000_000, 'Rp 1.000.000.000.000'],
])('%i rupiah are written %s', (amount, text) => expect(rupiah(amount)).toBe(text))

test.each([
  [1_100, '11%'],
  [1_050, '10,5%'],
  [1_025, '10,25%'],
  [5, '0,05%'],
  [10_000, '100%'],
])('%i basis points are written %s', (bps, text) => expect(percent(bps, ',')).toBe(text))

test('a text breaks between words, a long word breaks where the paper ends', () => {
  expect(wrap('Kopi susu gula aren besar sekali', 12)).toEqual(['Kopi susu', 'gula aren', 'besar sekali'])
  expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
  expect(wrap('', 4)).toEqual([''])
})

test('Chinese characters and emoji take two columns, marks none, and a mark stays with its letter', () => {
  expect(['咖啡', '☕', 'Kopi', 'กี่', '🇮🇩'].map(widthOf)).toEqual([4, 2, 4, 1, 2])
  expect(wrap('珍珠奶茶', 5)).toEqual(['珍珠', '奶茶'])
  expect(wrap('ก็ก็ก็', 2)).toEqual(['ก็ก็', 'ก็'])
})

test('what cannot be seen is not printed, what would turn the line around neither', async () => {
  const { data } = await acme().post('/products', {
    name: 'A\u202eB\u2067C\u200bD\u00adE\u3164F\ufe0fG\u{e0041}H\u2800I\u0007J\u0085K\u3000L',
    variants: [{ price: 1 }],
  })
  const items = [{ variantId: data.product.variants[0].id, quantity: 1 }]
  const sale = await sell({ items, status: 'COMPLETED' })
  expect(await textOf(sale.id)).toContain('\nABCDEFGHI J K L\n')
  expect((await print(sale.id)).text).toContain('>ABCDEFGHI J K L<')
})

test('a pile of marks on a letter ends after three', () => {
  expect(clean('e\u0301\u0302\u0303\u0304\u0305\u0306x').length).toBe('é\u0302\u0303\u0304x'.length)
})

test('whatever is printed, no line is wider than the paper and nothing but the layout is lost', () => {
  const text = fc.string({ unit: 'binary', maxLength: 80 }).map(clean)
  const rows = fc.array(
    fc.oneof(
      fc.record({
        kind: fc.constant('text' as const),
        text,
        align: fc.constant('left' as const),
        bold: fc.boolean(),
      }),
      fc.record({
        kind: fc.constant('pair' as const),
        left: text,
        right: fc.oneof(text, fc.maxSafeInteger().map(rupiah)),
        bold: fc.boolean(),
        indent: fc.constantFrom(0, 2),
      }),
    ),
    { maxLength: 6 },
  )
  const squeezed = (value: string) => value.replaceAll(/\s/g, '')
  fc.assert(
    fc.property(rows, fc.constantFrom(32 as const, 48 as const), (made, columns) => {
      const lines = linesOf(made, columns)
      for (const line of lines) expect(widthOf(line.text)).toBeLessThanOrEqual(columns)
      const said = made.map((row) => (row.kind === 'text' ? row.text : row.left + row.right)).join('')
      expect(squeezed(lines.map((line) => line.text).join(''))).toBe(squeezed(said))
    }),
    { numRuns: 300 },
  )
})
