import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seedCatalogueInUse, vacuum } from '../../../../bench/lib/seed-catalogue.ts'
import { importCatalogue } from '../../../../src/areas/catalogue/products/csv/import.ts'
import { anchorsOf, comparedWords } from '../../../../src/areas/catalogue/products/lookup.ts'
import type { Product } from '../../../../src/areas/catalogue/products/schema.ts'
import * as sql from '../../../../src/areas/catalogue/products/sound.ts'
import { STATEMENTS } from '../../../../src/areas/catalogue/products/statements-lookup.ts'
import { keysOf, wordsOf } from '../../../../src/core/likeness.ts'
import { readMigrations } from '../../../../src/platform/db/migrate.ts'
import type { Statement } from '../../../../src/platform/db/statement.ts'
import { makeProduct } from '../../../support/build.ts'
import { scopeOf } from '../../../support/clients.ts'
import { refusalOf } from '../../../support/expect.ts'
import { onOneServer } from '../../../support/one-server.ts'
import { plansOf } from '../../../support/plans.ts'
import { acme, alongside, as, deps, globex, useService, workspace } from '../../../support/service.ts'

/** Thousands of goods are written first, which takes a slow machine long. */
const LARGE_MS = 180_000

useService()

const names = (answer: { data: { matches: { productName: string }[] } }) =>
  answer.data.matches.map((match) => match.productName)
const lookup = async (api: Awaited<ReturnType<typeof workspace>>, q: string) =>
  api.get(`/products/lookup?q=${encodeURIComponent(q)}`)

test('a barcode answers exactly its live variant, with every field of a match', async () => {
  const product = await makeProduct(acme(), {
    name: 'Air mineral',
    imageUrl: 'https://cdn.example/air.png',
    variants: [{ name: '600 ml', price: 4_000, sku: 'AIR-600', barcode: '8991234567890' }, { price: 3_000 }],
  })
  const found = await acme().get('/products/lookup?barcode=8991234567890')
  expect(found.data).toEqual({
    matches: [
      {
        productId: product.id,
        productName: 'Air mineral',
        variantId: product.variants[0].id,
        variantName: '600 ml',
        sku: 'AIR-600',
        barcode: '8991234567890',
        price: 4_000,
        soldBy: 'UNIT',
        quantity: null,
        labelPrice: null,
        pack: null,
        isComposite: false,
        imageUrl: 'https://cdn.example/air.png',
        thumbnailUrl: null,
      },
    ],
  })
  expect((await globex().get('/products/lookup?barcode=8991234567890')).data.matches).toEqual([])
  expect((await acme().get('/products/lookup?barcode=899123456789')).data.matches).toEqual([])
})

test('inactive variants and variants of inactive products are not found', async () => {
  const api = await workspace()
  const product = await makeProduct(api, {
    name: 'Payung',
    variants: [
      { price: 1, barcode: 'B1' },
      { price: 1, barcode: 'B2', isActive: false },
    ],
  })
  expect((await api.get('/products/lookup?barcode=B1')).data.matches).toHaveLength(1)
  expect((await api.get('/products/lookup?barcode=B2')).data.matches).toEqual([])
  expect((await lookup(api, 'payung')).data.matches).toHaveLength(1)
  await api.patch(`/products/${product.id}`, { isActive: false })
  expect((await api.get('/products/lookup?barcode=B1')).data.matches).toEqual([])
  expect((await lookup(api, 'payung')).data.matches).toEqual([])
})

test.each([
  ['before', ['retired', 'sold']],
  ['after', ['sold', 'retired']],
])('a code finds the active product, whatever inactive twin was made %s it', async (_when, order) => {
  const api = await workspace()
  for (const name of order) {
    const variants = [{ price: 1, sku: 'TWIN', barcode: '77' }]
    await makeProduct(api, { name, isActive: name === 'sold', variants })
  }
  const scanned = await api.get('/products/lookup?barcode=77')
  expect(names(scanned)).toEqual(['sold'])
  expect(names(await lookup(api, 'TWIN'))).toEqual(['sold'])
})

test('a text finds barcode, SKU, prefix, substring and likeness in that order', async () => {
  const api = await workspace()
  await makeProduct(api, { name: 'Toko kopii', variants: [{ price: 1 }] })
  await makeProduct(api, { name: 'Teh kops', variants: [{ price: 1 }] })
  await makeProduct(api, { name: 'Es kopi', variants: [{ price: 1 }] })
  await makeProduct(api, { name: 'Kopi tubruk', variants: [{ price: 1 }] })
  await makeProduct(api, { name: 'Gelas', variants: [{ price: 1, sku: 'KOPI-9' }] })
  await makeProduct(api, { name: 'Zebra', variants: [{ price: 1, sku: 'KOPI' }] })
  await makeProduct(api, { name: 'Yoyo', variants: [{ price: 1, barcode: 'kopi' }] })
  expect(names(await lookup(api, 'kopi'))).toEqual([
    'Yoyo',
    'Zebra',
    'Kopi tubruk',
    'Gelas',
    'Es kopi',
    'Toko kopii',
  ])
  expect(names(await lookup(api, 'tubrukk'))).toEqual(['Kopi tubruk'])
})

test('a word with one wrong sound is found, after what was typed exactly', async () => {
  const api = await workspace()
  for (const name of ['Americano', 'Cappuccino', 'Kopi tubruk', 'Indomie goreng', 'Gado-gado', 'Fresh milk'])
    await makeProduct(api, { name })
  const found: [string, string][] = [
    ['amerikano', 'Americano'],
    ['capucino', 'Cappuccino'],
    ['kapucino', 'Cappuccino'],
    ['kopy', 'Kopi tubruk'],
    ['coppi', 'Kopi tubruk'],
    ['indomi', 'Indomie goreng'],
    ['indomee gorenk', 'Indomie goreng'],
    ['gado2', 'Gado-gado'],
    ['fres milk', 'Fresh milk'],
  ]
  for (const [q, name] of found) expect([q, names(await lookup(api, q))]).toEqual([q, [name]])
  await makeProduct(api, { name: 'Kopy shop mug' })
  await makeProduct(api, { name: 'Mug kopy' })
  expect(names(await lookup(api, 'kopy'))).toEqual(['Kopy shop mug', 'Mug kopy', 'Kopi tubruk'])
  for (const q of ['durian', 'teh', 'susu']) expect([q, names(await lookup(api, q))]).toEqual([q, []])
})

test('a word of four letters or more is found with one wrong or missing vowel, after what was typed exactly', async () => {
  const api = await workspace()
  const all = [
    'Nasi Goreng',
    'Jus Alpukat',
    'Kerupuk',
    'Teh Botol',
    'Sambal',
    'Telur',
    'Susu',
    'Tahu',
    'Bihun',
  ]
  for (const name of all) await makeProduct(api, { name })
  const found: [string, string][] = [
    ['nasi gorang', 'Nasi Goreng'],
    ['nesi goring', 'Nasi Goreng'],
    ['alpokat', 'Jus Alpukat'],
    ['krupuk', 'Kerupuk'],
    ['teh botul', 'Teh Botol'],
    ['sambel', 'Sambal'],
    ['telor', 'Telur'],
    ['tlur', 'Telur'],
    ['ssu', 'Susu'],
    ['tah', 'Tahu'],
    ['bhun', 'Bihun'],
  ]
  for (const [q, name] of found) expect([q, names(await lookup(api, q))]).toEqual([q, [name]])
  await makeProduct(api, { name: 'Es sambel' })
  await makeProduct(api, { name: 'Sambel terasi' })
  expect(names(await lookup(api, 'sambel'))).toEqual(['Sambel terasi', 'Es sambel', 'Sambal'])
  // Two vowels, another consonant, and short words are not forgiven.
  for (const q of ['sombil', 'talir', 'tih botol', 'xambol'])
    expect([q, names(await lookup(api, q))]).toEqual([q, []])
})

test('a single word that nothing sounds like is found by its beginning, or by most of its letters', async () => {
  const api = await workspace()
  for (const name of ['Cappuccino', 'Ikan bakar', 'Nasi goreng']) await makeProduct(api, { name })
  const found: [string, string][] = [
    ['kapuk', 'Cappuccino'],
    ['bakat', 'Ikan bakar'],
    ['nasigoreng', 'Nasi goreng'],
  ]
  for (const [q, name] of found) expect([q, names(await lookup(api, q))]).toEqual([q, [name]])
})

test('a word of silent letters counts for nothing: the other words of the text are still found', async () => {
  const api = await workspace()
  await makeProduct(api, { name: 'Kopi susu' })
  for (const silent of ['hhh', 'HHHH', 'hhh hhhh']) {
    const answer = await lookup(api, silent)
    expect(answer.status, silent).toBe(200)
    expect(names(answer), silent).toEqual([])
  }
  expect(names(await lookup(api, 'hhh kopy'))).toEqual(['Kopi susu'])
})

test('the index holds the words and keys that the search compares', async () => {
  const [migration] = (await readMigrations()).filter(({ name }) => name.startsWith('0100'))
  expect(migration?.sql).toContain(`generated always as (\n  ${sql.wordsOf('search_text')}\n) stored`)
  expect(migration?.sql).toContain(`gin ((\n  ${sql.keysOf('account_id', 'search_words')}\n))`)
  const piece = fc.constantFrom(..."aiueoybdgkshnxcéж2  -\n'")
  const texts = fc.sample(fc.string({ unit: piece, maxLength: 40 }), { numRuns: 500, seed: 28 })
  const { rows } = await deps().pool.query(
    `select w.text, array(select substr(k, 3) from unnest(tsvector_to_array(${sql.keysOf("'a'", 'w.words')})) k where k <> 'a:') as keys
      from (select text, ${sql.wordsOf('text')} as words from unnest($1::text[]) as t(text)) w`,
    [texts],
  )
  expect(rows).toHaveLength(500)
  for (const { text, keys } of rows)
    expect([text, keys.toSorted()]).toEqual([text, [...new Set(wordsOf(text).flatMap(keysOf))].toSorted()])
})

test('search ignores case, finds few letters, and answers 20 at most', async () => {
  const api = await workspace()
  const made = Array.from({ length: 25 }, (_, index) => `Item ${String(index).padStart(2, '0')}`)
  for (const name of made) await makeProduct(api, { name })
  expect(names(await lookup(api, 'ITEM'))).toEqual(made.slice(0, 20))
  expect(names(await lookup(api, 'em 07'))).toEqual(['Item 07'])
  expect(names(await lookup(api, '07'))).toEqual(['Item 07'])
  expect(names(await lookup(api, '9'))).toEqual(['Item 09', 'Item 19'])
  expect(names(await lookup(api, 'é'))).toEqual([])
})

test('the signs of LIKE are letters like any other', async () => {
  const api = await workspace()
  await makeProduct(api, { name: 'Diskon 50% off_line\\x' })
  await makeProduct(api, { name: 'Diskon 500 offxline' })
  for (const q of ['50%', '%', '_', '\\', '0% o']) {
    expect([q, names(await lookup(api, q))]).toEqual([q, ['Diskon 50% off_line\\x']])
  }
  expect(names(await lookup(api, 'off_line'))[0]).toBe('Diskon 50% off_line\\x')
  for (const q of ['50%', '%', '_']) {
    expect((await api.get(`/products?q=${encodeURIComponent(q)}`)).data.products).toHaveLength(1)
  }
})

test('search follows every change of name, SKU and barcode', async () => {
  const api = await workspace()
  const product = await makeProduct(api, { name: 'Mangga', variants: [{ price: 1, sku: 'M1' }] })
  await api.patch(`/products/${product.id}`, { name: 'Durian' })
  expect([names(await lookup(api, 'mangga')), names(await lookup(api, 'durian'))]).toEqual([[], ['Durian']])
  await api.patch(`/products/${product.id}/variants/${product.variants[0].id}`, {
    name: 'Montong',
    sku: 'D9',
  })
  expect([
    names(await lookup(api, 'm1')),
    names(await lookup(api, 'd9')),
    names(await lookup(api, 'montong')),
  ]).toEqual([[], ['Durian'], ['Durian']])
})

test.each([
  ['', 422, 'q'],
  ['?barcode=', 400, 'barcode'],
  [`?barcode=${'9'.repeat(65)}`, 400, 'barcode'],
  ['?q=', 400, 'q'],
  ['?q=%20', 400, 'q'],
  [`?q=${'x'.repeat(121)}`, 400, 'q'],
])('GET /products/lookup%s answers %i', async (query, status, param) => {
  const refused = await acme().get(`/products/lookup${query}`)
  expect(refusalOf(refused)).toEqual({ status, code: 'VALIDATION_ERROR', param })
})

test('only words can resemble something: codes, sizes and words of one or two letters do not count', () => {
  expect(comparedWords('kpi melati 600ml 5 kg')).toEqual(['kpi', 'melati'])
  expect(comparedWords('es teh')).toEqual(['teh'])
  expect(comparedWords('8991234567890 SKU-01')).toEqual([])
  expect(comparedWords('satu dua tiga empat lima enam')).toEqual(['satu', 'dua', 'tiga', 'empat', 'lima'])
})

test.each([
  ['kopi melati', '%kopi%mela%'],
  ['es teh manis dingin', '%mani%ding%'],
  ['telur telur', '%telu%telu%'],
  ['sku-000123', '%0123%'],
  ['50% americano', '%amer%'],
  ['em 077', '%077%'],
])('the index looks for a few letters of %s', (text, anchors) => {
  expect(anchorsOf(text)).toBe(anchors)
})

onOneServer('plans')(
  'a search reads an index in a workspace of 8,000 variants and in a small one beside it',
  async () => {
    const { pool } = deps()
    const [large, small] = [
      await seedCatalogueInUse(pool, 'Large', 8_000),
      await seedCatalogueInUse(pool, 'Small', 300),
    ]
    const searchesOf = (accountId: string): [Statement, unknown[]][] => [
      [STATEMENTS.BARCODES, [['8990000000123', '1']]],
      [STATEMENTS.PROVED, [['8990000000123', '1'], ['ak_1']]],
      [STATEMENTS.CODES_AND_PREFIXES, ['Kopi r', 'kopi r', 'kopi r\u{10FFFF}']],
      [STATEMENTS.SUBSTRING, ['%tame%', '%tamera%']],
      [STATEMENTS.SUBSTRING, ['%mela%', '%melati%']],
      [STATEMENTS.ALIKE, [`('${accountId}:kopi' | '${accountId}:kpi') & '${accountId}:strobri'`]],
      [STATEMENTS.ALIKE, [`'${accountId}:strob':*`]],
      [STATEMENTS.SIMILAR, ['strobery']],
      [STATEMENTS.FEW_LETTERS, ['%7 %']],
    ]
    for (const { accountId } of [large, small]) {
      for (const [{ text }, values] of searchesOf(accountId)) {
        const { rows } = await pool.query(`explain ${text}`, [accountId, ...values])
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
        expect(plan).toMatch(/Index Scan .*on variants/)
        expect(plan).not.toContain('Seq Scan')
      }
    }
  },
  LARGE_MS,
)

onOneServer('plans')(
  'the list and an import find codes and names by an index, of live variants and of the others',
  async () => {
    const { pool } = deps()
    const { accountId, key } = await seedCatalogueInUse(pool, 'Listed', 8_000)
    await pool.query(
      `update variants set is_active = false, is_live = false where account_id = $1 and sku like 'SKU-0078%'`,
      [accountId],
    )
    await pool.query(
      `delete from variant_barcodes b using variants v
        where b.account_id = $1 and v.account_id = $1 and v.id = b.variant_id and not v.is_live`,
      [accountId],
    )
    await vacuum(pool, 'variants')
    const found = async (q: string) =>
      (await as(key).get(`/products?q=${q}`)).data.products.map(
        (product: Product) => product.variants[0]?.sku,
      )
    expect([...(await found('sku-007801')), ...(await found('0000007701'))]).toEqual([
      'SKU-007801',
      'SKU-007701',
    ])
    const [list = ''] = await plansOf(pool, /search_text like/, () => found('sku-00770'))
    expect(list).toContain('Bitmap Index Scan on variants_search')
    expect(list).not.toContain('Seq Scan on variants')

    const text = 'product,sku,barcode,price\nSatu,SKU-007801,,1\nDua,,8990000007701,1\nTiga,,,1'
    const file = () => Readable.from([Buffer.from(text)])
    const scope = scopeOf({ ...acme(), workspace: { ...acme().workspace, accountId } })
    const neighbour = await alongside()
    const [lookups = ''] = await plansOf(pool, /as by/, () =>
      importCatalogue(neighbour.deps, scope, file, { dryRun: true }),
    )
    await neighbour.stop()
    for (const index of [
      'variants_sku',
      'variants_sku_at_rest',
      'variants_barcode',
      'variants_barcode_at_rest',
    ]) {
      expect(lookups).toMatch(new RegExp(`Index Scan (using|on) ${index}\\b`))
    }
    expect(lookups).toContain('products_by_name')
    expect(lookups).not.toContain('Seq Scan')
  },
  LARGE_MS,
)
