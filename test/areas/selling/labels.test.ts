import { describe, expect, test } from 'vitest'
import type { Api } from '../../support/api.ts'
import { runsOf, runsOfPictures, textOfBars } from '../../support/barcodes.ts'
import { fresh, makeCategory, makeOutlet, makePurchaseOrder } from '../../support/build.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { readPdf } from '../../support/pdf.ts'
import { acme, address, deps, globex, useService } from '../../support/service.ts'

useService({ env: { PRINTER_NETWORKS: '127.0.0.0/8' } })

const MM = 72 / 25.4

type Variant = { id: string; packs: { id: string }[] }
async function goods(fields: object, product: object = {}, api = acme()): Promise<Variant> {
  const body = { name: fresh('Goods'), variants: [{ price: 12_500, ...fields }], ...product }
  return done(await api.post('/products', body)).product.variants[0]
}

/** The PDF of labels as it was sent. */
async function fileOf(body: object, api: Api = acme()): Promise<Buffer> {
  const response = await fetch(`${address()}/api/v1/labels/pdf`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.workspace.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  return Buffer.from(await response.arrayBuffer())
}

type Bar = { x: number; y: number; width: number; height: number }
type Page = ReturnType<typeof readPdf>['pages'][number]
const barsOf = ({ content }: Page): Bar[] =>
  [...content.matchAll(/^([-\d.]+) ([-\d.]+) ([\d.]+) ([\d.]+) re$/gm)].map(([, x, y, width, height]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
  }))

/** The codes on a page, read from its bars label by label. */
function codesOf(page: Page): (string | null)[] {
  const labels: Bar[][] = []
  let last: Bar | undefined
  for (const bar of barsOf(page)) {
    const isNext = last === undefined || bar.y !== last.y || bar.x < last.x || bar.x - last.x > 12
    if (isNext) labels.push([])
    labels.at(-1)?.push(bar)
    last = bar
  }
  return labels.map((bars) => textOfBars(runsOf(bars.map(({ x, width }) => [x, width] as const))))
}
const wordsOf = ({ texts }: Page) => texts.map(({ text }) => text).join(' ')
const pagesOf = async (body: object) => readPdf(await fileOf(body)).pages

describe('a PDF of labels', () => {
  test('has name, price and a barcode that reads back as the code: EAN-13, EAN-8, UPC-A, else Code 128', async () => {
    for (const [codes, read] of [
      [{ barcode: '8991234567891' }, '8991234567891'],
      [{ barcode: '12345670' }, '12345670'],
      [{ barcode: '012345678905' }, '012345678905'],
      [{ barcode: 'KOPI-01/b' }, 'KOPI-01/b'],
      // A wrong check digit: a scanner of EAN-13 would refuse it.
      [{ barcode: '8991234567892' }, '8991234567892'],
      [{ sku: 'SKU-0042' }, 'SKU-0042'],
      [{ sku: 'SKU-0043', barcode: '8991234567907' }, '8991234567907'],
    ] as const) {
      const { id } = await goods(codes, { name: 'Kopi Gayo' })
      const [page] = await pagesOf({ items: [{ variantId: id }], paper: 'ROLL_80X50' })
      expect(page && codesOf(page)).toEqual([read])
      expect(page && wordsOf(page)).toBe(`Kopi Gayo Rp 12.500 ${read}`)
    }
  })

  test('has the text alone where there is no code, none that scanners can type, or none that fits', async () => {
    for (const [fields, paper, words] of [
      [{}, 'A4_24', 'Jasa Rp 12.500'],
      [{ sku: 'KOPI-é' }, 'A4_24', 'Jasa Rp 12.500 KOPI-é'],
      [{ sku: 'S'.repeat(64) }, 'A4_65', `Jasa Rp 12.500 ${'S'.repeat(64)}`],
    ] as const) {
      const { id } = await goods(fields, { name: 'Jasa' })
      const [page] = await pagesOf({ items: [{ variantId: id }], paper })
      expect(page && barsOf(page)).toEqual([])
      expect(page && wordsOf(page)).toBe(words)
    }
  })

  test('stays inside its label with a long name and a price of ten digits, on every paper', async () => {
    const name =
      'Minyak goreng kelapa sawit kemasan pouch isi ulang premium WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW'
    const { id, packs } = await goods(
      {
        name: 'Rasa jeruk nipis dan daun pandan wangi',
        price: 1_000_000_000,
        barcode: '8991234567914',
        packs: [
          {
            name: 'Karton isi dua belas botol besar',
            factor: 12,
            price: 999_999_999,
            barcode: '8991234567921',
          },
        ],
      },
      { name: name.slice(0, 160) },
    )
    const items = [
      { variantId: id, copies: 2 },
      { variantId: id, packId: packs[0]?.id },
    ]
    for (const [paper, width, height, perPage] of [
      ['A4_21', 63.5, 38.1, 21],
      ['A4_24', 70, 37, 24],
      ['A4_40', 52.5, 29.7, 40],
      ['A4_65', 38.1, 21.2, 65],
      ['ROLL_40X30', 40, 30, 1],
      ['ROLL_50X30', 50, 30, 1],
      ['ROLL_58X40', 58, 40, 1],
      ['ROLL_80X50', 80, 50, 1],
    ] as const) {
      for (const design of ['PRICE', 'SHELF'] as const) {
        const file = await fileOf({ items, paper, design })
        const { papers, pages } = readPdf(file)
        const sheet = perPage > 1 ? [210 * MM, 297 * MM] : [width * MM, height * MM]
        expect(papers).toEqual(pages.map(() => sheet.map((size) => expect.closeTo(size, 1))))
        expect(pages).toHaveLength(perPage > 1 ? 1 : 3)
        expect(pages.flatMap(codesOf)).toEqual(['8991234567914', '8991234567914', '8991234567921'])
        for (const page of pages) {
          const words = wordsOf(page)
          expect(words).toMatch(/Rp 1\.000\.000\.000|Rp 999\.999\.999/)
          if (perPage === 1) {
            for (const bar of barsOf(page)) expect(bar.x + bar.width).toBeLessThan(width * MM)
            for (const { x, y } of page.texts)
              expect([x > 0, y > 0, x < width * MM, y < height * MM]).toEqual([true, true, true, true])
          }
        }
      }
    }
  })

  test('leaves out the labels of a sheet that are used up, and goes on over the next sheets', async () => {
    const { id } = await goods({ barcode: '8991234567938' })
    const pages = await pagesOf({ items: [{ variantId: id, copies: 50 }], paper: 'A4_24', skip: 20 })
    expect(pages.map((page) => codesOf(page).length)).toEqual([4, 24, 22])
    const [first] = pages
    expect(Math.max(...(first?.texts ?? []).map(({ y }) => y))).toBeLessThan(100 * MM)
  })

  test('has a price for a kilogram of goods sold by weight, and the price and barcode of a pack', async () => {
    const beef = await goods({ soldBy: 'WEIGHT', price: 140_000 }, { name: 'Daging' })
    const water = await goods(
      {
        price: 4_000,
        barcode: '8991234567945',
        packs: [
          { name: 'Dus', factor: 24, price: 90_000, barcode: '8991234567952' },
          { name: 'Enam botol', factor: 6 },
        ],
      },
      { name: 'Air' },
    )
    const items = [
      { variantId: beef.id },
      { variantId: water.id },
      ...water.packs.map(({ id }) => ({ variantId: water.id, packId: id })),
    ]
    const pages = await pagesOf({ items, paper: 'ROLL_58X40' })
    expect(pages.map(wordsOf)).toEqual([
      'Daging Rp 140.000 /kg',
      'Air Rp 4.000 8991234567945',
      'Air Rp 90.000 /Dus 8991234567952',
      'Air Rp 24.000 /Enam botol',
    ])
  })

  test('has the prices of a price list where it has an entry for the goods, also outside its conditions', async () => {
    const tea = await goods({ price: 10_000 }, { name: 'Teh' })
    const coffee = await goods({ price: 10_000 }, { name: 'Kopi' })
    const list = {
      name: fresh('Grosir'),
      channels: ['GOFOOD'],
      entries: [{ variantId: tea.id, adjustBps: -1_000, roundTo: 500 }],
    }
    const { priceList } = done(await acme().post('/price-lists', list))
    const pages = await pagesOf({
      items: [{ variantId: tea.id }, { variantId: coffee.id }],
      priceListId: priceList.id,
      paper: 'ROLL_40X30',
    })
    expect(pages.map(wordsOf)).toEqual(['Teh Rp 9.000', 'Kopi Rp 10.000'])
  })

  test('of a thousand labels takes less than three seconds', async () => {
    const category = await makeCategory(acme())
    const variants = Array.from({ length: 100 }, (_, n) => ({
      name: `Rasa ${n}`,
      price: 1_000 + n,
      sku: fresh('S'),
    }))
    await acme().post('/products', { name: fresh('Sirup'), categoryId: category, variants })
    const startedMs = performance.now()
    const pages = await pagesOf({ categoryId: category, copies: 10, paper: 'A4_65' })
    expect(performance.now() - startedMs).toBeLessThan(3_000)
    expect(pages).toHaveLength(16)
  })
})

describe('the goods of labels', () => {
  test('are those of a category that are active', async () => {
    const categoryId = await makeCategory(acme())
    await goods({ price: 2_000 }, { name: 'Bakso', categoryId })
    await goods({ price: 1_000 }, { name: 'Ayam', categoryId })
    const off = await goods({ price: 3_000 }, { name: 'Cumi', categoryId, isActive: false })
    expect(off.id).toMatch(/^var_/)
    const pages = await pagesOf({ categoryId, copies: 2, paper: 'ROLL_40X30' })
    expect(pages.map(wordsOf)).toEqual(['Ayam Rp 1.000', 'Ayam Rp 1.000', 'Bakso Rp 2.000', 'Bakso Rp 2.000'])
  })

  test('are those that changed since an instant, by product or by variant', async () => {
    const old = done(await acme().post('/products', { name: 'Dodol', variants: [{ price: 900 }] })).product
    await goods({ price: 700 }, { name: 'Getuk' })
    const { updatedAt } = old
    await expect.poll(() => deps().clock.now() > updatedAt).toBe(true)
    const since = deps().clock.now()
    done(await acme().patch(`/products/${old.id}/variants/${old.variants[0].id}`, { price: 950 }))
    const pages = await pagesOf({ changedSince: since, paper: 'ROLL_40X30' })
    expect(pages.map(wordsOf)).toEqual(['Dodol Rp 950'])
  })

  test('are the units that a purchase order received, or ordered: packs as their units, weighed goods once', async () => {
    const water = await goods({ price: 4_000, packs: [{ name: 'Dus', factor: 3 }] }, { name: 'Air' })
    const beef = await goods({ soldBy: 'WEIGHT', price: 140_000 }, { name: 'Daging' })
    const order = await makePurchaseOrder(acme(), {
      outletId: await makeOutlet(acme()),
      items: [
        { variantId: water.id, packId: water.packs[0]?.id, qty: 2, cost: 9_000 },
        { variantId: beef.id, qty: 5_000, cost: 100_000 },
      ],
    })
    const paper = 'ROLL_40X30'
    const none = await acme().post('/labels/pdf', { purchaseOrderId: order.id, paper })
    expect(refusalOf(none)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'purchaseOrderId' })
    done(await acme().post(`/purchase-orders/${order.id}/order`))
    done(
      await acme().post(`/purchase-orders/${order.id}/receive`, {
        items: [{ itemId: order.items[0].id, qty: 1 }],
      }),
    )
    const received = await pagesOf({ purchaseOrderId: order.id, paper })
    expect(received.map(wordsOf)).toEqual(['Air Rp 4.000', 'Air Rp 4.000', 'Air Rp 4.000'])
    const ordered = await pagesOf({ purchaseOrderId: order.id, count: 'ORDERED', paper })
    expect(ordered.map(wordsOf)).toEqual([...Array(6).fill('Air Rp 4.000'), 'Daging Rp 140.000 /kg'])
  })

  test('are named, exist in the workspace, and fit in one file', async () => {
    const { id } = await goods({})
    const paper = 'A4_24'
    const refused = async (body: object) => refusalOf(await acme().post('/labels/pdf', { paper, ...body }))
    const bad = (param: string) => ({ status: 400, code: 'VALIDATION_ERROR', param })
    const gone = (param: string) => ({ status: 404, code: 'NOT_FOUND', param })
    const foreign = await goods({}, {}, globex())
    const item = { variantId: id }
    expect(await refused({})).toEqual(bad('items'))
    expect(await refused({ items: [item], categoryId: 'cat_x' })).toEqual(gone('categoryId'))
    expect(await refused({ items: [item], paper: 'A5' })).toEqual(bad('paper'))
    expect(await refused({ changedSince: 'yesterday' })).toEqual(bad('changedSince'))
    expect(await refused({ items: [item, { variantId: foreign.id }] })).toEqual(gone('items[1].variantId'))
    expect(await refused({ items: [{ ...item, packId: 'pck_x' }] })).toEqual(gone('items[0].packId'))
    expect(await refused({ categoryId: await makeCategory(globex()) })).toEqual(gone('categoryId'))
    expect(await refused({ purchaseOrderId: (await makePurchaseOrder(globex())).id })).toEqual(
      gone('purchaseOrderId'),
    )
    expect(await refused({ items: [item], priceListId: 'prl_x' })).toEqual(gone('priceListId'))
    const many = { status: 422, code: 'VALIDATION_ERROR', param: 'items' }
    expect(await refused({ items: [{ ...item, copies: 1_000 }, item] })).toEqual(many)
  })
})

describe('labels on a receipt printer', () => {
  const printerAt = async (port: number, fields: object = {}, api = acme()) =>
    done(
      await api.post('/printers', {
        outletId: await makeOutlet(api),
        name: fresh('Printer'),
        kind: 'NETWORK',
        host: '127.0.0.1',
        port,
        ...fields,
      }),
    ).printer.id as string

  test('are printed as jobs of ten, each label cut off, with bars of whole dots that read back', async () => {
    const { id } = await goods({ barcode: '8991234567969', price: 999_999_999 }, { name: 'Beras' })
    for (const [width, dots] of [
      [58, 384],
      [80, 576],
    ] as const) {
      const printerId = await printerAt(9100, { paper: width })
      const items = [{ variantId: id, copies: 23 }]
      const { jobs } = done(await acme().post('/labels/print', { items, printerId }))
      expect(jobs.map(({ kind, status, saleId }: Record<string, string>) => [kind, status, saleId])).toEqual(
        Array(3).fill(['LABEL', 'queued', null]),
      )
      const counts = []
      for (const job of jobs) {
        const url = `${address()}/api/v1/print-jobs/${job.id}/content`
        const headers = { authorization: `Bearer ${acme().workspace.key}` }
        const bytes = Buffer.from(await (await fetch(url, { headers })).arrayBuffer())
        const pictures = runsOfPictures(bytes)
        expect(new Set(pictures.map((picture) => textOfBars(picture.runs)))).toEqual(
          new Set(['8991234567969']),
        )
        expect(pictures[0]?.dots).toBe(dots)
        expect(bytes.toString('latin1').split('\x1dV\x01').length - 1).toBe(pictures.length)
        expect(bytes.toString('latin1')).toContain('Rp 999.999.999')
        counts.push(pictures.length)
      }
      expect(counts).toEqual([10, 10, 3])
    }
  })

  test('show their barcode on the page of the job, too, and a copy is marked on a paper before the labels', async () => {
    const printerId = await printerAt(9100)
    const { id } = await goods({ barcode: '8991234567976' })
    const { jobs } = done(
      await acme().post('/labels/print', { items: [{ variantId: id }], printerId, design: 'SHELF' }),
    )
    const page = await acme().get(`/print-jobs/${jobs[0].id}/content?format=html`)
    expect(page.text).toContain('role="img" aria-label="8991234567976"')
    const path = /<path d="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const bars = [...path.matchAll(/M(\d+) 0h(\d+)/g)].map(
      ([, x, width]) => [Number(x), Number(width)] as const,
    )
    expect(textOfBars(runsOf(bars))).toBe('8991234567976')
    await deps().db.updateTable('printJobs').set({ copy: true }).where('id', '=', jobs[0].id).execute()
    const { text } = await acme().get(`/print-jobs/${jobs[0].id}/content?format=text`)
    expect(
      text
        .split('\n')
        .map((line) => line.trim())
        .slice(0, 2),
    ).toEqual(['*** SALINAN ***', '-'.repeat(48)])
  })

  test('are at most 200, at a printer of the workspace', async () => {
    const { id } = await goods({})
    const printerId = await printerAt(9100)
    const print = async (copies: number, at: string) =>
      refusalOf(await acme().post('/labels/print', { items: [{ variantId: id, copies }], printerId: at }))
    expect(await print(201, printerId)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'items' })
    const foreign = await printerAt(9100, {}, globex())
    expect(await print(1, foreign)).toEqual({ status: 404, code: 'NOT_FOUND', param: 'printerId' })
  })
})
