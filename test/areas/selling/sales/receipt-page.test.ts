import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { manualClock } from '../../../../src/platform/clock.ts'
import type { Api } from '../../../support/api.ts'
import { describeInChromium, expectPicture, measurePage } from '../../../support/browser.ts'
import { address, useService, workspace } from '../../../support/service.ts'

useService({ clock: manualClock('2026-11-21T05:05:00.000Z') })

const LONG = 'Restu Wijayakusuma Prawirodirdjo Kusumawardhani binti Haji Muhammad Abdurrahman Syarifuddin'
const WORD = 'Pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(3)
const HEAD = {
  address: 'Jl. Kemang Raya 8\nJakarta Selatan',
  phone: '021-555',
  receiptHeader: 'Wifi: kopisusu',
  taxRateBps: 1_100,
  taxLabel: 'PPN',
}

let api: Api
const made = async (path: string, body: object) => {
  const { status, data, text } = await api.post(path, body)
  expect(status, text).toBeLessThan(300)
  return data
}
const variant = async (name: string, price: number) =>
  (await made('/products', { name, variants: [{ price }] })).product.variants[0].id
const outlet = async (fields: object = {}) =>
  (await made('/outlets', { name: 'Cabang Kemang', ...HEAD, ...fields })).outlet.id
const customer = async (name: string) => (await made('/customers', { name })).customer.id
const sold = async (body: object) => (await made('/sales', body)).sale

const everyTender = async () => {
  const variantId = await variant('Kopi susu gula aren', 100_000)
  const { giftCard } = await made('/gift-cards', { amount: 50_000, code: 'HADIAH-2026-LEBARAN' })
  return sold({
    outletId: await outlet(),
    customerId: await customer('Budi'),
    items: [
      {
        variantId,
        quantity: 10,
        discount: 10_000,
        modifiers: [
          { name: 'Extra shot', price: 4_000 },
          { name: 'Less sugar', price: 0 },
        ],
      },
    ],
    orderDiscount: 25_000,
    deliveryFee: 15_000,
    payments: [
      { method: 'GIFT_CARD', amount: 50_000, reference: giftCard.code },
      ...['QRIS', 'VA', 'CARD', 'TRANSFER', 'OTHER'].map((method) => ({ method, amount: 100_000 })),
      { method: 'CASH', amount: 700_000, tendered: 700_000 },
    ],
  })
}

const SALES: Record<string, () => Promise<{ id: string }>> = {
  'every tender': everyTender,
  'long names': async () =>
    sold({
      outletId: await outlet({
        name: `Cabang ${LONG}`,
        address: WORD,
        receiptFooter: `${LONG}\n${WORD}`,
        taxLabel: 'Pajak Barang dan Jasa Tertentu',
      }),
      customerId: await customer(LONG),
      items: [
        {
          variantId: await variant(`${LONG} ${LONG}`.slice(0, 160), 12_500),
          quantity: 2,
          modifiers: [
            { name: WORD.slice(0, 80), price: 1_500 },
            { name: LONG.slice(0, 80), price: 0 },
          ],
        },
        { variantId: await variant(WORD, 1), quantity: 1 },
      ],
      status: 'COMPLETED',
    }),
  'a customer of 28 letters': async () =>
    sold({
      outletId: await outlet(),
      customerId: await customer('Restu Wijayakusuma Prawirodi'),
      items: [{ variantId: await variant('Kopi', 12_500), quantity: 1 }],
      status: 'COMPLETED',
    }),
  'a million million': async () =>
    sold({
      outletId: await outlet({ taxInclusive: true, taxLabel: 'PPN' }),
      items: [{ variantId: await variant('Rumah', 1_000_000_000), quantity: 1_000 }],
      status: 'COMPLETED',
    }),
  'other scripts': async () =>
    sold({
      outletId: await outlet({ name: '咖啡店 ☕' }),
      customerId: await customer('محمد بن عبد الله بن عبد العزيز الهاشمي'),
      items: [
        { variantId: await variant('珍珠奶茶'.repeat(20), 25_000), quantity: 1 },
        { variantId: await variant('😀🇮🇩👨‍👩‍👧'.repeat(10), 25_000), quantity: 1 },
        { variantId: await variant('שלום \u202e12.000 pR', 12_000), quantity: 1 },
        {
          variantId: await variant(`K${'\u0301\u0302\u0303\u0335\u0489'.repeat(20)}opi`, 12_000),
          quantity: 1,
        },
      ],
      status: 'COMPLETED',
    }),
  'a hundred lines': async () => {
    const items = []
    for (let index = 1; index <= 100; index += 1)
      items.push({ variantId: await variant(`Barang nomor ${index}`, 1_000 * index), quantity: index })
    return sold({ outletId: await outlet(), items, status: 'COMPLETED' })
  },
  'an open bill': async () =>
    sold({
      outletId: await outlet(),
      items: [{ variantId: await variant('Nasi goreng', 30_000), quantity: 2 }],
      payments: [{ method: 'CASH', amount: 20_000 }],
    }),
  'a voided sale': async () => {
    const { id } = await sold({
      outletId: await outlet(),
      items: [{ variantId: await variant('Nasi goreng', 30_000), quantity: 2 }],
      status: 'COMPLETED',
    })
    return (await made(`/sales/${id}/void`, { reason: `Salah pesan, ${LONG}` })).sale
  },
  'a sale paid back': async () => {
    const { id } = await everyTenderless()
    await made(`/sales/${id}/refund`, { amount: 11_100 })
    return (await made(`/sales/${id}/refund`, {})).sale
  },
}
const everyTenderless = async () =>
  sold({
    outletId: await outlet(),
    customerId: await customer('Budi Santoso'),
    items: [
      { variantId: await variant('Nasi goreng kampung', 30_000), quantity: 2 },
      { variantId: await variant('Es teh', 5_000), quantity: 1 },
    ],
    status: 'COMPLETED',
  })

const ids = new Map<string, string>()
beforeAll(async () => {
  api = await workspace('PT Kopi Senja Nusantara')
  await api.put('/settings', { npwp: '01.234.567.8-901.234', receiptThanks: 'Sampai jumpa lagi' })
  for (const [name, make] of Object.entries(SALES)) ids.set(name, (await make()).id)
}, 120_000)

const MM = 96 / 25.4

const open = async (
  browser: Browser,
  name: string,
  query: string,
  viewport: { width: number; height: number },
) => {
  const context = await browser.newContext({
    viewport,
    extraHTTPHeaders: { authorization: `Bearer ${api.workspace.key}` },
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  const answer = await page.goto(`${address()}/api/v1/sales/${ids.get(name)}/receipt?${query}`)
  expect(answer?.status()).toBe(200)
  return { page, complaints, close: () => context.close() }
}

const LETTER_OF_PICTURES = 602

const pagesOf = (pdf: Buffer) =>
  [...pdf.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) => ({
    width: (Number(width) / 72) * 25.4,
    height: (Number(height) / 72) * 25.4,
  }))

const CASES = Object.keys(SALES).flatMap((name) =>
  (['58', '80'] as const).map((paper) => [name, paper] as const),
)

describeInChromium('the receipt as a page', (browser) => {
  test.each(CASES)('%s on %s mm lies within the paper, line by line', async (name, paper) => {
    const width = Math.ceil(Number(paper) * MM)
    const { page, complaints, close } = await open(browser(), name, `width=${paper}`, { width, height: 800 })
    await page.emulateMedia({ media: 'print' })
    const seen = await measurePage(page)
    expect(complaints).toEqual([])
    expect(seen.scrollWidth).toBeLessThanOrEqual(seen.clientWidth)
    expect(Math.abs(seen.paper - Number(paper) * MM)).toBeLessThan(1)
    const columns = paper === '58' ? 32 : 48
    let above = 0
    for (const text of seen.texts) {
      expect(text.left, text.text).toBeGreaterThanOrEqual(seen.inner.left - 1)
      expect(text.right, text.text).toBeLessThanOrEqual(seen.inner.right + 1)
      if (text.isFigure) expect(text.right, text.text).toBeGreaterThan(seen.inner.right - 1)
      // No column of letters: a short label is one line, and the lines of a long text are half full or more.
      if (text.text.length <= 12) expect(text.lines, text.text).toBe(1)
      expect(text.lines, text.text).toBeLessThanOrEqual(
        Math.ceil((Array.from(text.text).length * 2) / columns) + 1,
      )
      expect(text.top, text.text).toBeGreaterThanOrEqual(above - 8)
      above = text.top
    }
    await close()
  })

  test.each(CASES)('%s prints on one page of %s mm, as long as it is', async (name, paper) => {
    const { page, close } = await open(browser(), name, `width=${paper}`, { width: 800, height: 600 })
    const pages = pagesOf(await page.pdf({ preferCSSPageSize: true, printBackground: true }))
    await page.emulateMedia({ media: 'print' })
    const height = (await measurePage(page)).height / MM
    expect(pages).toHaveLength(1)
    expect(Math.abs((pages[0]?.width ?? 0) - Number(paper))).toBeLessThan(0.6)
    expect(pages[0]?.height).toBeGreaterThanOrEqual(height)
    expect(pages[0]?.height).toBeLessThan(height * 1.25 + 15)
    await close()
  })

  test('on a phone and on a desk the receipt is as wide as the window allows, never wider', async () => {
    for (const [width, paper] of [
      [360, '58'],
      [360, '80'],
      [1280, '80'],
    ] as const) {
      const { page, close } = await open(browser(), 'long names', `width=${paper}`, { width, height: 700 })
      const seen = await measurePage(page)
      expect(seen.scrollWidth).toBeLessThanOrEqual(seen.clientWidth)
      expect(seen.paper).toBeGreaterThan(Math.min(width * 0.9, Number(paper) * MM * 1.5))
      for (const text of seen.texts) expect(text.right, text.text).toBeLessThanOrEqual(seen.inner.right + 1)
      await close()
    }
  })

  test.for([
    ['every tender', '58', 'id'],
    ['every tender', '80', 'en'],
    ['long names', '58', 'id'],
    ['a sale paid back', '58', 'id'],
    ['a voided sale', '80', 'en'],
    ['an open bill', '58', 'id'],
    ['a million million', '58', 'en'],
  ])('%s on %s mm in %s looks as it did', async ([name = '', paper = '', lang = ''], { skip }) => {
    const width = Math.ceil(Number(paper) * MM)
    const { page, close } = await open(browser(), name, `width=${paper}&lang=${lang}`, { width, height: 200 })
    await page.emulateMedia({ media: 'print' })
    if ((await measurePage(page)).letter !== LETTER_OF_PICTURES)
      skip('the pictures are drawn in DejaVu Sans Mono, which is not installed')
    const picture = await page.screenshot({ fullPage: true })
    expectPicture(`receipt-${name.replaceAll(' ', '-')}-${paper}-${lang}`, picture)
    await close()
  })
})
