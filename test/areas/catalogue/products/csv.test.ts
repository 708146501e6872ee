import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportCatalogueFile, importCatalogueFile } from '../../../../src/areas/catalogue/products/index.ts'
import { guarded, unguarded } from '../../../../src/core/spreadsheet.ts'
import { inTx, isSharded, openDb, type Tx } from '../../../../src/platform/db/open.ts'
import { analyzeTables } from '../../../../src/platform/db/statistics.ts'
import type { Deps } from '../../../../src/platform/deps.ts'
import type { Answer, Api } from '../../../support/api.ts'
import { makeProduct, sell } from '../../../support/build.ts'
import { scopeOf } from '../../../support/clients.ts'
import { done } from '../../../support/expect.ts'
import { eventsOf, rowsPlannedFor, waiting } from '../../../support/read.ts'
import { acme, alongside, deps, useService, workspace } from '../../../support/service.ts'
import { watching } from '../../../support/statements.ts'

useService()

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kasir-csv-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let files = 0
const newFile = () => path.join(folder, `${(files += 1)}.csv`)
const job = (api: Api, file: string) => ({ deps: deps(), scope: scopeOf(api), file })

async function exported(api: Api): Promise<string> {
  const file = newFile()
  await exportCatalogueFile(job(api, file))
  return readFile(file, 'utf8')
}

async function imported(api: Api, content: string | Buffer, dryRun = false) {
  const file = newFile()
  await writeFile(file, content)
  const summary = await importCatalogueFile({ ...job(api, file), dryRun })
  const { report, ...counts } = summary
  return { counts, report: report === null ? null : await readFile(report, 'utf8') }
}

/** Runs `work` while a transaction holds the product, and lets go of it afterwards. */
const whileHeld = (api: Api, productId: string, work: (hold: () => Promise<unknown>) => Promise<unknown>) =>
  inTx(deps().db, async (tx: Tx) => {
    const hold = () =>
      tx
        .selectFrom('products')
        .select('id')
        .where('accountId', '=', api.workspace.accountId)
        .where('id', '=', productId)
        .forUpdate()
        .execute()
    await hold()
    await work(hold)
  })

type Variant = { name: string; sku: string | null; price: number }
type PricedProduct = { name: string; variants: [{ price: number }] }
const products = async (api: Api) => (await api.get('/products')).data.products
/** What a catalogue says, without the ids of its workspace. */
const told = async (api: Api) => (await exported(api)).replaceAll(/prd_\w{26}/g, 'prd')

const states = async (api: Api) =>
  (await products(api)).map(({ name, isActive }: { name: string; isActive: boolean }) => [name, isActive])

const counts = (given: Record<string, number>) => ({
  rows: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  ...given,
})

test('a catalogue travels: what is exported from one workspace is the same in another', async () => {
  const [from, to] = [await workspace(), await workspace()]
  const category = (await from.post('/categories', { name: 'Minuman, dingin' })).data.category
  await makeProduct(from, {
    name: 'Kopi "Gayo"',
    description: 'Dua baris\nhalus; enak',
    categoryId: category.id,
    imageUrl: 'https://cdn.example/k.png',
    station: 'BAR',
    variants: [
      { price: 18_000, name: 'Kecil', sku: '=1+1', barcode: '0012', cost: 5_000 },
      { price: 22_000, name: "'@Besar", sku: '-5', sortOrder: 3, isActive: false },
    ],
  })
  await makeProduct(from, { name: '+Antar', kind: 'SERVICE', isActive: false })
  const bare = await makeProduct(from, { name: 'Kosong' })
  await from.delete(`/products/${bare.id}/variants/${bare.variants[0].id}`)
  await makeProduct(from, { name: 'Obat', requiresBatch: true })
  const csv = await exported(from)
  expect(csv.startsWith('\uFEFFproduct_id,product,category,')).toBe(true)
  expect(csv).toContain("'=1+1")
  expect(csv).toContain("'+Antar")
  expect(csv).toContain("''@Besar")
  const { counts: made, report } = await imported(to, csv)
  expect(made).toEqual(counts({ rows: 5, created: 3, refused: 1 }))
  expect(report).toContain('Kosong')
  await from.delete(`/products/${bare.id}`)
  expect(await told(to)).toBe(await told(from))
})

test('tax_rate is basis points, an empty cell the rate of the outlet, and anything else is refused with its row', async () => {
  const api = await workspace()
  const rates = async () =>
    (await products(api)).map(({ name, taxRateBps }: { name: string; taxRateBps: number | null }) => [
      name,
      taxRateBps,
    ])
  const rows = 'product,price,tax_rate\nBeras,20000,0\nSirup,10000,1100\nTeh,5000,\n'
  expect((await imported(api, rows)).counts).toEqual(counts({ rows: 3, created: 3 }))
  const all = [
    ['Beras', 0],
    ['Sirup', 1_100],
    ['Teh', null],
  ]
  expect(await rates()).toEqual(all)
  expect((await imported(api, await exported(api))).counts).toEqual(counts({ rows: 3, unchanged: 3 }))
  expect((await imported(api, 'product,price\nSirup,11000\n')).counts).toEqual(
    counts({ rows: 1, updated: 1 }),
  )
  expect(await rates()).toEqual(all)
  expect((await imported(api, 'product,tax_rate\nSirup,\n')).counts).toEqual(counts({ rows: 1, updated: 1 }))
  expect((await rates())[1]).toEqual(['Sirup', null])
  const { counts: refused, report } = await imported(api, 'product,tax_rate\nBeras,11%\nTeh,10001\n')
  expect(refused).toEqual(counts({ rows: 2, refused: 2 }))
  expect(report).toContain('2,tax_rate,Beras')
  expect(report).toContain('3,tax_rate,Teh')
})

test('a file sent again changes nothing and announces nothing', async () => {
  const api = await workspace()
  const csv =
    'product,variant,sku,barcode,price,category\n' +
    'Teh,Panas,T-1,111,5000,Minuman\nTeh,Dingin,,,6000,Minuman\nGula,,,,14000,\n'
  expect((await imported(api, csv)).counts).toEqual(counts({ rows: 3, created: 2 }))
  const before = await products(api)
  expect((await imported(api, csv)).counts).toEqual(counts({ rows: 3, unchanged: 2 }))
  expect(await products(api)).toEqual(before)
  expect((await imported(api, await exported(api))).counts).toEqual(counts({ rows: 3, unchanged: 2 }))
  expect(await eventsOf(api, 'service.product.updated.v1')).toEqual([])
  expect((await api.get('/categories')).data.categories).toMatchObject([{ name: 'Minuman', productCount: 1 }])
})

test('a SKU finds its variant: the row changes it, the others of its product stay', async () => {
  const api = await workspace()
  await makeProduct(api, {
    name: 'Kaos',
    description: 'Katun',
    variants: [
      { price: 50_000, name: 'M', sku: 'K-M', cost: 20_000 },
      { price: 50_000, name: 'L', sku: 'K-L' },
    ],
  })
  const { counts: done } = await imported(api, 'product,sku,price\nKaos polos,K-M,55000\n')
  expect(done).toEqual(counts({ rows: 1, updated: 1 }))
  const [product, ...others] = await products(api)
  expect(others).toEqual([])
  expect(product).toMatchObject({
    name: 'Kaos polos',
    description: 'Katun',
    variants: [
      { name: 'M', sku: 'K-M', price: 55_000, cost: 20_000, isActive: true },
      { name: 'L', sku: 'K-L', price: 50_000, isActive: true },
    ],
  })
})

test('a second import of what is inactive finds it, and makes nothing twice', async () => {
  const api = await workspace()
  const file = [
    'product,product_active,variant,sku,price,active',
    'Lebaran,no,Kecil,LB-K,9000,no',
    'Lebaran,no,Besar,LB-B,15000,yes',
    'Musiman,no,,,7000,no',
  ].join('\n')
  expect((await imported(api, file)).counts).toEqual(counts({ rows: 3, created: 2 }))
  expect((await imported(api, file)).counts).toEqual(counts({ rows: 3, unchanged: 2 }))
  expect((await products(api)).map((one: { name: string }) => one.name)).toEqual(['Lebaran', 'Musiman'])
})

test.each([
  ['made before', ['retired', 'sold']],
  ['made after', ['sold', 'retired']],
])('a SKU means the active variant, whatever inactive twin was %s it', async (_when, order) => {
  const api = await workspace()
  for (const name of order) {
    const variants = [{ name: 'Satu', price: 5_000, sku: 'TWIN' }]
    await makeProduct(api, { name, isActive: name === 'sold', variants })
  }
  const { counts: done } = await imported(api, 'product,sku,price\nsold,TWIN,6000\n')
  expect(done).toEqual(counts({ rows: 1, updated: 1 }))
  const prices = (await products(api)).map((one: { name: string; variants: { price: number }[] }) => [
    one.name,
    one.variants[0]?.price,
  ])
  expect(prices).toEqual([
    ['retired', 5_000],
    ['sold', 6_000],
  ])
})

test('a SKU means the active one of two variants of a product, too', async () => {
  const api = await workspace()
  const { id } = await makeProduct(api, {
    name: 'Payung',
    variants: [
      { name: 'Lama', price: 5_000, sku: 'PY', isActive: false, sortOrder: 0 },
      { name: 'Baru', price: 6_000, sku: 'PY', sortOrder: 1 },
    ],
  })
  const { counts: done } = await imported(api, `product_id,product,sku,price\n${id},Payung,PY,6500\n`)
  expect(done).toEqual(counts({ rows: 1, updated: 1 }))
  const [product] = await products(api)
  expect(product.variants.map((one: { name: string; price: number }) => [one.name, one.price])).toEqual([
    ['Lama', 5_000],
    ['Baru', 6_500],
  ])
})

test('an empty cell clears what may be absent; an absent column leaves it', async () => {
  const api = await workspace()
  await makeProduct(api, {
    name: 'A',
    description: 'D',
    station: 'S',
    variants: [{ price: 1, sku: 'A1', barcode: 'B1' }],
  })
  await imported(api, 'product,sku,barcode,description\nA,A1,,\n')
  expect((await products(api))[0]).toMatchObject({
    description: null,
    station: 'S',
    variants: [{ sku: 'A1', barcode: null, price: 1 }],
  })
})

test('a file with more_barcodes but without barcode keeps every barcode', async () => {
  const api = await workspace('No column barcode')
  await imported(api, 'product,sku,price,barcode,more_barcodes\nTeh,TEH,9000,8990001,8990002\n')
  const { counts } = await imported(api, 'product,sku,price,more_barcodes\nTeh,TEH,9500,\n')
  expect(counts).toMatchObject({ updated: 1, refused: 0 })
  const { data } = await api.get('/products')
  expect(data.products[0].variants).toMatchObject([{ price: 9500, barcodes: ['8990001', '8990002'] }])
})

test('bad rows are reported with row and column, and good products are taken all the same', async () => {
  const api = await workspace()
  await makeProduct(api, { name: 'Lama', variants: [{ price: 1, sku: 'LAMA', barcode: '77' }] })
  await makeProduct(api, { name: 'Kembar' })
  await makeProduct(api, { name: 'Kembar' })
  const csv = [
    'product,kind,requires_batch,image_url,variant,sku,barcode,price,active',
    'Baik,,,,,G-1,,1000,ya',
    'Salah harga,,,,,,,Rp 12.000,',
    'Tanpa harga,,,,,,,,',
    'Mahal,,,,,,,1000000001,',
    ',,,,,X-1,,100,',
    'Jasa,SERVICE,yes,,,,,100,',
    'Gambar,,,ftp://x/y,,,,100,',
    'Bentrok,,,,,N-1,77,100,',
    'Ulang,,,,,G-1,,100,',
    'Kembar,,,,,,,100,',
    'Beda,GOODS,,,A,,,100,',
    'Beda,SERVICE,,,B,,,100,',
    'Aktif,,,,,,,100,mungkin',
    'Panjang,,,,,,,100,,lebih',
    `${'x'.repeat(161)},,,,,,,100,`,
    '=Rumus,,,,,,,satu,',
  ].join('\r\n')
  const { counts: done, report } = await imported(api, csv)
  expect(done).toEqual(counts({ rows: 16, created: 1, updated: 1, refused: 13 }))
  const lines = (report ?? '').trim().split('\n')
  expect(lines[0]).toBe('row,column,product,sku,problem')
  expect(lines.slice(1).map((line) => line.split(',').slice(0, 2).join(' '))).toEqual([
    '3 price',
    '4 product',
    '5 price',
    '6 product',
    '7 requires_batch',
    '8 image_url',
    '10 sku',
    '11 product',
    '13 kind',
    '14 active',
    '15 product',
    '16 product',
    '17 price',
  ])
  expect(report).toContain("'=Rumus")
  expect((await products(api)).map((product: { name: string }) => product.name).sort()).toEqual(
    ['Baik', 'Bentrok', 'Kembar', 'Kembar'].sort(),
  )
})

test('a code held elsewhere is refused with the row that has it', async () => {
  const api = await workspace()
  await makeProduct(api, { name: 'Satu', variants: [{ price: 1, sku: 'S1' }] })
  await makeProduct(api, { name: 'Dua', variants: [{ price: 1, sku: 'D1', barcode: '22' }] })
  const { counts: done, report } = await imported(
    api,
    'product,variant,sku,barcode,price\nTiga,a,S1,,5\nTiga,b,D1,,6\nEmpat,a,E1,,7\nEmpat,b,E2,,8\nLima,,S1,22,9\n',
  )
  expect(done).toEqual(counts({ rows: 5, created: 1, refused: 2 }))
  expect(report).toContain('3,sku,Tiga,D1,')
  expect(report).toContain('6,sku,Lima,S1,S1 is already used in row 2')
})

test('a dry run says what would happen and keeps nothing', async () => {
  const api = await workspace()
  await makeProduct(api, { name: 'Ada', variants: [{ price: 1, sku: 'ADA' }] })
  const csv = 'product,category,sku,price\nAda,Baru,ADA,2\nBaru,Baru,BARU,3\nRusak,,R,x\n'
  const { counts: done, report } = await imported(api, csv, true)
  expect(done).toEqual(counts({ rows: 3, created: 1, updated: 1, refused: 1 }))
  expect(report).toContain('4,price,Rusak,R,')
  expect(await products(api)).toMatchObject([{ name: 'Ada', variants: [{ price: 1 }] }])
  expect((await api.get('/categories')).data.categories).toEqual([])
  expect(await api.events()).toEqual(['service.product.created.v1'])
})

test.each([
  ['semicolons and a byte order mark', '\uFEFFProduct;SKU;Price\nTeh; T-9 ;4000\n'],
  ['tabs', 'product\tsku\tprice\nTeh\tT-9\t4000\n'],
  ['commas, quotes and empty lines', '"product","sku","price"\n\n"Teh","T-9","4000"\n,,\n'],
])('a file with %s is read', async (_, csv) => {
  const api = await workspace()
  expect((await imported(api, csv)).counts).toEqual(counts({ rows: 1, created: 1 }))
  expect(await products(api)).toMatchObject([{ name: 'Teh', variants: [{ sku: 'T-9', price: 4000 }] }])
})

test.each([
  ['an empty file', '', 'empty'],
  ['an unknown column', 'product,prize\nA,1\n', '"prize"'],
  ['a column twice', 'product,sku,sku\nA,1,2\n', 'twice'],
  ['no product column', 'sku,price\nA,1\n', 'product'],
  ['an open quote', 'product,price\n"A,1\n', 'Row 2'],
  ['another encoding', Buffer.from('product,price\nKop\xe9,1\n', 'latin1'), 'UTF-8'],
])('%s is refused as a whole', async (_, content, hint) => {
  await expect(imported(acme(), content)).rejects.toMatchObject({
    status: 422,
    param: 'file',
    message: expect.stringContaining(hint),
  })
})

test('a missing file is reported', async () => {
  await expect(importCatalogueFile(job(acme(), path.join(folder, 'none.csv')))).rejects.toMatchObject({
    status: 422,
    param: 'file',
  })
})

test('rows of one product may be apart: the later ones meet the stored product', async () => {
  const api = await workspace()
  const csv = 'product,variant,price\nA,Satu,1\nB,,2\nA,Dua,3\n'
  expect((await imported(api, csv)).counts).toEqual(counts({ rows: 3, created: 2, updated: 1 }))
  expect(await products(api)).toMatchObject([
    { name: 'A', variants: [{ name: 'Satu' }, { name: 'Dua' }] },
    { name: 'B' },
  ])
})

test('many portions are reported as they go', async () => {
  const api = await workspace()
  const rows = Array.from({ length: 450 }, (_, n) => `Barang ${n},S-${n},${n}`)
  const file = newFile()
  await writeFile(file, ['product,sku,price', ...rows].join('\n'))
  const told: [number, number][] = []
  await importCatalogueFile({ ...job(api, file), progress: (done, total) => told.push([done, total]) })
  expect(told.length).toBe(4)
  expect(new Set(told.map(([, total]) => total)).size).toBe(1)
  expect(told.at(-1)?.[0]).toBe(told.at(-1)?.[1])
  const seen: [number, number][] = []
  const progress = (done: number, total: number) => void seen.push([done, total])
  expect(await exportCatalogueFile({ ...job(api, newFile()), progress })).toBe(450)
  expect(seen.at(-1)).toEqual([450, 450])
})

test('a catalogue that came in has statistics at once, without which a sale is planned for empty tables', async () => {
  const rows = Array.from({ length: 60 }, (_, n) => `Fresh ${n},F-${n},${1_000 + n}`)
  await imported(await workspace(), ['product,sku,price', ...rows].join('\n'))
  const { rows: stored } = await deps().pool.query<{ products: number; variants: number }>(
    'select (select count(*)::int from products) as products, (select count(*)::int from variants) as variants',
  )
  expect(stored).toEqual([
    { products: await rowsPlannedFor('products'), variants: await rowsPlannedFor('variants') },
  ])
  expect(stored[0]?.products).toBeGreaterThanOrEqual(60)
})

test('what the planner could not look at is a line of the log, and fails nobody', async () => {
  const told: unknown[] = []
  const log = { warn: (line: { table: string }) => told.push(line.table) } as unknown as Deps['log']
  const nowhere = openDb({ url: 'postgres://127.0.0.1:1/nothing', poolSize: 1 })
  await analyzeTables({ db: nowhere.db, log }, ['products', 'stockLevels'])
  await nowhere.close()
  expect(told).toEqual(['products', 'stock_levels'])
})

test('every text survives the guard against formulas, and no guarded text begins a formula', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', 'a', '1', '＝') }),
      (text) => {
        expect(unguarded(guarded(text))).toBe(text)
        expect(guarded(text)).not.toMatch(/^[=+\-@\t\r＝]/)
      },
    ),
  )
})

test('a pack whose barcode ends in a mark of the file comes in unchanged', async () => {
  const api = await workspace()
  for (const [at, barcode] of ['7;', '7;;', '7\\\\', '7\\\\;', '7|'].entries())
    await makeProduct(api, {
      name: `Obat ${at}`,
      variants: [
        {
          price: 1,
          packs: [
            { name: 'strip;', factor: 10, barcode },
            { name: 'dus', factor: 20 },
          ],
        },
      ],
    })
  const { counts: taken, report } = await imported(api, await exported(api))
  expect([taken, report]).toEqual([counts({ rows: 5, unchanged: 5 }), null])
})

/** A file whose rows name the code TEA-1, in both orders of the rows. */
const bothOrders = (header: string, ...rows: string[]) =>
  [rows, rows.toReversed()].map((lines) => [header, ...lines, ''].join('\n'))

test('a code that is twice in a file without ids names two products where one is inactive, at each import', async () => {
  for (const column of ['active', 'product_active'])
    for (const file of bothOrders(
      `product,sku,price,${column}`,
      'Old tea,TEA-1,5000,no',
      'New tea,TEA-1,6000,yes',
    )) {
      const api = await workspace()
      const { counts: first, report } = await imported(api, file)
      expect([first, report]).toEqual([counts({ rows: 2, created: 2 }), null])
      const before = await products(api)
      const again = await imported(api, file)
      expect([again.counts, again.report]).toEqual([counts({ rows: 2, unchanged: 2 }), null])
      expect(await products(api)).toEqual(before)
    }
})

test('so does a code whose two rows are in different portions of the file', async () => {
  const others = Array.from({ length: 205 }, (_, n) => `Barang ${n},B-${n},1000,yes`).join('\n')
  for (const file of bothOrders(
    'product,sku,price,active',
    'Old tea,TEA-1,5000,no',
    others,
    'New tea,TEA-1,6000,yes',
  )) {
    const api = await workspace()
    const { counts: first } = await imported(api, file)
    expect(first).toEqual(counts({ rows: 207, created: 207 }))
    expect((await imported(api, file)).counts).toEqual(counts({ rows: 207, unchanged: 207 }))
  }
})

test('an inactive row with the code of goods on sale and another name is refused, and changes nothing', async () => {
  const api = await workspace()
  const variants = [{ name: 'Panas', price: 5_000, sku: 'TT-1', barcode: '8991' }]
  await makeProduct(api, { name: 'Teh', variants })
  const before = await products(api)
  for (const [name, variant, column, code] of [
    ['Teh lama', 'Panas', 'sku', 'TT-1'],
    ['Teh lama', 'Panas', 'barcode', '8991'],
    ['Teh', 'Dingin', 'sku', 'TT-1'],
    ['Teh', 'Dingin', 'barcode', '8991'],
  ]) {
    const file = `product,variant,${column},price,active\n${name},${variant},${code},4000,no\n`
    const { counts: taken, report } = await imported(api, file)
    expect([name, variant, taken]).toEqual([name, variant, counts({ rows: 1, refused: 1 })])
    expect(report).toContain(`2,${column},${name},`)
    expect(report).toContain(
      `${code} is on sale under another name; write that name to deactivate it, or empty this cell`,
    )
  }
  expect(await products(api)).toEqual(before)
  const { counts: named } = await imported(api, 'product,sku,active\nTeh,TT-1,no\n')
  expect(named).toEqual(counts({ rows: 1, updated: 1 }))
  expect((await products(api))[0].variants).toMatchObject([{ name: 'Panas', sku: 'TT-1', isActive: false }])
})

test('variants of one product that share a SKU keep their rows, whatever their order', async () => {
  for (const file of bothOrders(
    'product,variant,sku,price,active',
    'Payung,Lama,PY,5000,no',
    'Payung,Baru,PY,6000,yes',
  )) {
    const api = await workspace()
    await makeProduct(api, { name: 'Payung', variants: [{ name: 'Baru', price: 6_000, sku: 'PY' }] })
    const [{ variants: before }] = await products(api)
    expect((await imported(api, file)).counts).toEqual(counts({ rows: 2, updated: 1 }))
    const [{ variants }] = await products(api)
    expect(variants).toHaveLength(2)
    expect(variants).toContainEqual(before[0])
    expect(variants).toContainEqual(expect.objectContaining({ name: 'Lama', price: 5_000, isActive: false }))
    expect((await imported(api, file)).counts).toEqual(counts({ rows: 2, unchanged: 1 }))
    expect((await imported(api, await exported(api))).counts).toEqual(counts({ rows: 2, unchanged: 1 }))
  }
})

test('an exported catalogue comes in unchanged where a new product has the codes of a deactivated one', async () => {
  const api = await workspace()
  const variants = [{ price: 18_000, sku: 'KS-1', barcode: '0012' }]
  const old = await makeProduct(api, { name: 'Kopi lama', variants })
  await sell(api, old.variants[0].id)
  done(await api.delete(`/products/${old.id}`))
  await makeProduct(api, { name: 'Kopi baru', variants })
  const { counts: taken, report } = await imported(api, await exported(api))
  expect([taken, report]).toEqual([counts({ rows: 2, unchanged: 2 }), null])
})

test('a new product without product_id never overwrites the deactivated one of the file that has its code or name', async () => {
  for (const id of ['', 'baru'])
    for (const name of ['Kopi baru', 'Kopi lama'])
      for (const order of [0, 1]) {
        const api = await workspace()
        const old = await makeProduct(api, { name: 'Kopi lama', variants: [{ price: 1, sku: 'KL-1' }] })
        await sell(api, old.variants[0].id)
        done(await api.delete(`/products/${old.id}`))
        const before = done(await api.get(`/products/${old.id}`)).product
        const file = bothOrders(
          'product_id,product,product_active,sku,price',
          `${old.id},Kopi lama,no,KL-1,1`,
          `${id},${name},yes,KL-1,2`,
        )[order]
        const { counts: taken, report } = await imported(api, file ?? '')
        expect([taken, report]).toEqual([counts({ rows: 2, created: 1, unchanged: 1 }), null])
        expect((await imported(api, file ?? '')).counts).toEqual(counts({ rows: 2, unchanged: 2 }))
        expect(done(await api.get(`/products/${old.id}`)).product).toEqual(before)
        expect((await states(api)).toSorted()).toEqual(
          [
            ['Kopi lama', false],
            [name, true],
          ].toSorted(),
        )
      }
})

test('a code of an inactive product means it only under its name', async () => {
  const api = await workspace()
  for (const name of ['Teh', 'Teh', 'Es teh'])
    await makeProduct(api, { name, isActive: false, variants: [{ price: 1, sku: 'TT-1' }] })
  const { counts: taken, report } = await imported(
    api,
    'product,sku,price\nTeh,TT-1,2\nEs teh,TT-1,3\nTeh tarik,TT-2,4\n',
  )
  expect(report).toMatch(
    /^2,product,Teh,TT-1,2 products have this name; .*\n3,sku,Es teh,TT-1,TT-1 is already/m,
  )
  expect(taken).toEqual(counts({ rows: 3, created: 1, refused: 2 }))
  const only = await imported(api, 'product,sku,price\nEs teh,TT-1,3\nKopi,TT-1,5\n')
  expect(only.counts).toEqual(counts({ rows: 2, updated: 1, refused: 1 }))
  const news = await imported(api, 'product,sku,price\nKopi,TT-1,5\n')
  expect(news.counts).toEqual(counts({ rows: 1, created: 1 }))
  expect(await states(api)).toEqual([
    ['Es teh', false],
    ['Kopi', true],
    ['Teh', false],
    ['Teh', false],
    ['Teh tarik', true],
  ])
})

test('new products are written by sets; where one is refused the others come in all the same, each told of', async () => {
  const api = await workspace()
  const other = await alongside()
  const rows = Array.from({ length: 60 }, (_, n) => `Barang ${n},Rak ${n % 3},B-${n},${1_000 + n}`)
  const file = newFile()
  await writeFile(file, `product,category,sku,price\n${rows.join('\n')}\n`)
  const sent: string[] = []
  const summary = await watching(
    ({ text }) => sent.push(text),
    () => importCatalogueFile({ deps: other.deps, scope: scopeOf(api), file }),
  )
  await other.stop()
  expect(summary).toMatchObject({ rows: 60, created: 60, refused: 0 })
  // Rows that are sent one by one in VALUES are parted where they are many.
  const sets = isSharded(other.deps.db) ? 2 : 1
  expect(sent.filter((text) => /insert into "?products\b/.test(text))).toHaveLength(sets)
  expect(await eventsOf(api, 'service.product.created.v1')).toHaveLength(60)

  const tooLong = 'x'.repeat(161)
  const mixed = await imported(api, `product,sku,price\nSatu,S-1,1000\n${tooLong},S-2,2000\nTiga,S-3,3000\n`)
  expect(mixed.counts).toEqual(counts({ rows: 3, created: 2, refused: 1 }))
  expect(mixed.report).toContain(`3,product,${tooLong},S-2`)
})

test('an import keeps a variant that someone adds to its product while it runs', async () => {
  const api = await workspace()
  const product = await makeProduct(api, {
    name: 'Kaos',
    variants: [{ price: 50_000, name: 'M', sku: 'K-M' }],
  })
  let requests: [Promise<Answer>, ReturnType<typeof imported>] | undefined
  await whileHeld(api, product.id, async () => {
    const adding = api.post(`/products/${product.id}/variants`, { name: 'L', sku: 'K-L', price: 60_000 })
    await expect.poll(waiting).toBe(1)
    requests = [adding, imported(api, 'product,variant,sku,price\nKaos,M,K-M,55000\n')]
    await expect.poll(waiting).toBe(2)
  })
  const [added, importing] = await Promise.all(requests ?? [])
  expect([added?.status, importing?.counts]).toEqual([201, counts({ rows: 1, updated: 1 })])
  expect((await products(api))[0].variants).toMatchObject([
    { name: 'M', price: 55_000, isActive: true },
    { name: 'L', price: 60_000, isActive: true },
  ])
})

test.each([false, true])(
  'a product that another transaction holds for too long is refused and named, and all others come in (dry run: %s)',
  async (dryRun) => {
    const api = await workspace()
    const held = await makeProduct(api, { name: 'Held', variants: [{ price: 1, sku: 'H-1' }] })
    await makeProduct(api, { name: 'Free', variants: [{ price: 1, sku: 'F-1' }] })
    const csv = 'product,sku,price\nFree,F-1,2\nHeld,H-1,2\nNew,N-1,2\n'
    let outcome: Awaited<ReturnType<typeof imported>> | undefined
    await whileHeld(api, held.id, async (hold) => {
      const importing = imported(api, csv, dryRun).then((done) => {
        outcome = done
      })
      const hasEnded = async () => {
        await hold()
        return outcome !== undefined
      }
      await expect.poll(hasEnded, { timeout: 40_000 }).toBe(true)
      await importing
    })
    expect(outcome?.counts).toEqual(counts({ rows: 3, created: 1, updated: 1, refused: 1 }))
    expect(outcome?.report).toContain('3,product,Held,H-1,Another user is changing this product')
    const prices = (await products(api)).map(({ name, variants: [{ price }] }: PricedProduct) => [
      name,
      price,
    ])
    expect(prices).toEqual(
      dryRun
        ? [
            ['Free', 1],
            ['Held', 1],
          ]
        : [
            ['Free', 2],
            ['Held', 1],
            ['New', 2],
          ],
    )
  },
)

test('tills are told of what an import writes one by one, also if its last product is refused', async () => {
  const api = await workspace()
  await makeProduct(api, { name: 'Free', variants: [{ price: 1, sku: 'F-1' }] })
  const held = await makeProduct(api, { name: 'Held', variants: [{ price: 1, sku: 'H-1' }] })
  const file = newFile()
  await writeFile(file, 'product,sku,price\nFree,F-1,2\nHeld,H-1,2\n')
  const { live } = deps()
  const told: string[][] = []
  const publish: typeof live.publish = (_, boards) => told.push([...boards])
  const { scope } = job(api, file)
  await whileHeld(api, held.id, async (hold) => {
    let outcome: { updated: number; refused: number } | undefined
    const importing = importCatalogueFile({
      deps: { ...deps(), live: { ...live, publish } },
      scope,
      file,
    }).then((summary) => {
      outcome = summary
    })
    const hasEnded = async () => {
      await hold()
      return outcome !== undefined
    }
    await expect.poll(hasEnded, { timeout: 40_000 }).toBe(true)
    await importing
    expect(outcome).toMatchObject({ updated: 1, refused: 1 })
  })
  expect(told).toEqual([[expect.stringContaining('catalogue')]])
})

test('a refused product leaves no new category behind', async () => {
  const api = await workspace()
  for (const [name, sku] of [
    ['Teh', 'T'],
    ['Gula', 'G'],
  ])
    await makeProduct(api, { name, variants: [1, 2].map((n) => ({ price: 1, sku: `${sku}-${n}` })) })
  const long = 'x'.repeat(161)
  const alone = await imported(api, `product,category,price\n${long},Rak baru,1000\n`)
  expect(alone.counts).toEqual(counts({ rows: 1, refused: 1 }))
  const mixed = await imported(
    api,
    [
      'product,category,sku,price',
      `${long},Rak satu,S-1,1000`,
      'Teh,Rak dua,T-1,-1',
      'Roti,Rak tiga,T-2,1000',
      'Roti,Rak tiga,G-2,1000',
      'Kopi,Rak empat,K-1,1000',
      'Susu,rak EMPAT,S-2,1000',
      'Gula,Rak empat,G-1,2000',
    ].join('\n'),
  )
  expect(mixed.counts).toEqual(counts({ rows: 7, created: 2, updated: 1, refused: 3 }))
  const { categories } = (await api.get('/categories')).data
  expect(categories).toMatchObject([{ name: 'Rak empat', productCount: 3 }])
  expect(categories).toHaveLength(1)
})

test('rows under two names that mean one product keep the variants of each other', async () => {
  const api = await workspace()
  await makeProduct(api, {
    name: 'Kaos',
    variants: ['M', 'L'].map((name) => ({ price: 1, name, sku: `K-${name}` })),
  })
  const file = ['product,variant,sku,price', 'Kaos,M,K-M,2', 'Kaos,XL,K-XL,3', 'Kaos polos,L,K-L,4'].join(
    '\n',
  )
  expect((await imported(api, file)).counts).toEqual(counts({ rows: 3, updated: 2 }))
  const [product, ...others] = await products(api)
  expect([product.name, others]).toEqual(['Kaos polos', []])
  expect(product.variants.map((one: { sku: string; price: number }) => [one.sku, one.price])).toEqual([
    ['K-M', 2],
    ['K-L', 4],
    ['K-XL', 3],
  ])
})

test('a row with a new SKU adds a variant; it takes no variant that has another SKU, only one without', async () => {
  const api = await workspace()
  const sized = (name: string, sku?: string) => ({ name, price: 1_000, ...(sku ? { sku } : {}) })
  await makeProduct(api, { name: 'Kopi', variants: [sized('Default', 'K-OLD')] })
  await makeProduct(api, { name: 'Teh', variants: [sized('Panas', 'T-OLD'), sized('Dingin')] })
  const file = [
    'product,variant,sku,price',
    'Kopi,,K-NEW,2000',
    'Teh,Panas,T-NEW,2000',
    'Teh,Dingin,T-COLD,2000',
  ].join('\n')
  expect((await imported(api, file)).counts).toEqual(counts({ rows: 3, updated: 2 }))
  const variants = (await products(api)).map((product: { name: string; variants: Variant[] }) => [
    product.name,
    product.variants.map(({ name, sku, price }) => [name, sku, price]),
  ])
  expect(variants).toEqual([
    [
      'Kopi',
      [
        ['Default', 'K-OLD', 1_000],
        ['Default', 'K-NEW', 2_000],
      ],
    ],
    [
      'Teh',
      [
        ['Panas', 'T-OLD', 1_000],
        ['Dingin', 'T-COLD', 2_000],
        ['Panas', 'T-NEW', 2_000],
      ],
    ],
  ])
})

test('an import never passes the cap of the plan, by sets, one by one or by activating', async () => {
  const api = await workspace()
  const run = async (...rows: string[]) => {
    const file = newFile()
    await writeFile(file, ['product,product_active,price', ...rows].join('\n'))
    // The free plan includes 200 products.
    const scope = { ...scopeOf(api), defaultTier: 'free' as const }
    const { report, ...done } = await importCatalogueFile({ deps: deps(), scope, file })
    return { done, report: report === null ? '' : await readFile(report, 'utf8') }
  }
  const many = Array.from({ length: 198 }, (_, n) => `Barang ${n},yes,1000`)
  expect((await run(...many, 'Lama,no,1000', 'Usang,no,1000')).done).toEqual(
    counts({ rows: 200, created: 200 }),
  )
  const news = await run('Satu,yes,1000', 'Dua,yes,1000', 'Tiga,yes,1000', 'Arsip,no,1000')
  expect(news.done).toEqual(counts({ rows: 4, created: 3, refused: 1 }))
  expect(news.report).toContain('4,product,Tiga,,The free plan includes 200 products; 200 are in use')
  const mixed = await run('Empat,yes,1000', 'Lama,yes,1000', 'Satu,yes,2000')
  expect(mixed.done).toEqual(counts({ rows: 3, updated: 1, refused: 2 }))
  const freed = await run('Satu,no,2000', 'Usang,yes,1000', 'Lama,yes,1000')
  expect(freed.done).toEqual(counts({ rows: 3, updated: 2, refused: 1 }))
  const active = (await products(api)).filter(({ isActive }: { isActive: boolean }) => isActive)
  expect(active).toHaveLength(200)
})

test('a file changes a product whose 250 variants took the place of sold ones, and keeps those', async () => {
  const [api, other] = [await workspace(), await workspace()]
  const season = (name: string) =>
    Array.from({ length: 250 }, (_, size) => ({ name: `${name} ${size}`, price: 1_000 }))
  const product = await makeProduct(api, { name: 'Kaos', variants: season('Lama') })
  await sell(api, product.variants[0].id)
  expect((await api.patch(`/products/${product.id}`, { variants: season('Baru') })).status).toBe(200)
  const file = (await exported(api)).replace(/(Baru 9,.*?)1000/, '$12000').replaceAll('Kaos', 'Kemeja')
  expect(await imported(api, file)).toMatchObject({ counts: { rows: 251, updated: 1 }, report: null })
  const [{ name, variants }] = await products(api)
  expect([name, variants.length]).toEqual(['Kemeja', 251])
  const priceOf = (name: string) => variants.find((variant: Variant) => variant.name === name)
  expect(priceOf('Baru 9')).toMatchObject({ price: 2_000, isActive: true })
  expect(priceOf('Lama 0')).toMatchObject({ price: 1_000, isActive: false })
  expect((await api.get('/products?q=kemeja')).data.products).toHaveLength(1)
  expect(await imported(other, file)).toMatchObject({ counts: { created: 1 }, report: null })
  expect(await told(other)).toBe(await told(api))
  const more = await imported(api, 'product,variant,price\nKemeja,Extra,5\n')
  expect(more.counts).toMatchObject({ refused: 1 })
  expect(more.report).toContain('at most 250 active variants')
})
