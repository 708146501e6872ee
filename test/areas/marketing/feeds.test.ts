import { parse } from 'csv-parse/sync'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { beforeAll, describe, expect, test } from 'vitest'
import { gtinOf } from '../../../src/areas/marketing/feeds/rules/items.ts'
import type { Api } from '../../support/api.ts'
import { makeOutlet, makeProduct, stock } from '../../support/build.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { marketer, useMarketing } from '../../support/marketing.ts'
import { acme, globex } from '../../support/service.ts'

useMarketing()

const FEEDS = '/account/feeds'
const preview = async (api: Api, format: string) =>
  done(await api.get(`${FEEDS}/preview?format=${format}`)) as {
    format: string
    contentType: string
    itemCount: number
    content: string
    errors: { itemId: string; field: string; message: string }[]
  }

type Row = Record<string, string>
/** As a merchant centre reads it: without spaces around a text. */
const rowsOf = (content: string): Row[] =>
  parse(content, { columns: true }).map((row) =>
    Object.fromEntries(Object.entries(row as Row).map(([name, text]) => [name, text.trim()])),
  )
/** Items of a feed as its reader sees them; throws for one that is not well-formed. */
const readers: Record<string, (content: string) => Row[]> = {
  google: (content) => {
    expect(XMLValidator.validate(content)).toBe(true)
    const parser = new XMLParser({
      parseTagValue: false,
      trimValues: false,
      isArray: (name) => name === 'item',
    })
    const { item = [] } = parser.parse(content).rss.channel
    return item.map((one: Row) =>
      Object.fromEntries(Object.entries(one).map(([name, text]) => [name.replace('g:', ''), text])),
    )
  },
  facebook: (content) => rowsOf(content),
  tiktok: (content) => rowsOf(content),
  json: (content) => JSON.parse(content).items,
}
const itemsOf = async (api: Api, format: string) =>
  (readers[format] as (content: string) => Row[])((await preview(api, format)).content)

describe('settings', () => {
  test('before anything is set the answer is the defaults, and PATCH changes what is sent', async () => {
    const defaults = {
      enabled: false,
      defaultFeedProductCategory: null,
      includeUnpublished: false,
      productUrl: null,
      marketingCampaignId: null,
    }
    expect((await globex().get(FEEDS)).data.feeds).toEqual({ ...defaults, createdAt: null, updatedAt: null })
    const set = await globex().patch(FEEDS, { enabled: true, marketingCampaignId: 'ramadan' })
    expect(set.data.feeds).toMatchObject({ ...defaults, enabled: true, marketingCampaignId: 'ramadan' })
    const more = await globex().patch(FEEDS, { enabled: false, marketingCampaignId: '' })
    expect(more.data.feeds).toMatchObject(defaults)
    expect((await globex().get(FEEDS)).data).toEqual(more.data)
  })

  test.each([
    [{ enabled: 'yes' }, 'enabled'],
    [{ includeUnpublished: null }, 'includeUnpublished'],
    [{ defaultFeedProductCategory: 'x'.repeat(501) }, 'defaultFeedProductCategory'],
    [{ productUrl: 'javascript:alert(1)' }, 'productUrl'],
    [{ productUrl: 'https://shop.example/{name}' }, 'productUrl'],
    [{ productUrl: 'https://{sku}.example/' }, 'productUrl'],
    [{ productUrl: 'https://a:b@shop.example/' }, 'productUrl'],
    [{ productUrl: 'https://[shop/' }, 'productUrl'],
    [{ marketingCampaignId: 'x'.repeat(65) }, 'marketingCampaignId'],
  ])('PATCH refuses %j', async (body, param) => {
    const refused = await acme().patch(FEEDS, body)
    expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
  })

  test('another format is refused', async () => {
    expect(refusalOf(await acme().get(`${FEEDS}/preview?format=bing`))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      param: 'format',
    })
  })
})

describe('a feed of the catalogue', () => {
  let shop: Api
  const ids = new Map<string, string>()

  beforeAll(async () => {
    shop = await marketer('Kopi & <Teh>')
    const outletId = await makeOutlet(shop)
    const { id: categoryId } = done(await shop.post('/categories', { name: 'Minuman' })).category
    const add = async (key: string, fields: Record<string, unknown>) => {
      const { id, variants } = await makeProduct(shop, fields)
      ids.set(key, variants[0].id)
      ids.set(`product of ${key}`, id)
      return variants[0].id
    }
    const coffee = await add('coffee', {
      name: 'Kopi susu',
      description: 'Dengan gula aren',
      categoryId,
      imageUrl: 'https://img.example/kopi susu/é.jpg'.replace(' ', '%20'),
      variants: [{ name: 'Large', price: 18_000, sku: 'KS 1', barcode: '8991234567891' }],
    })
    await stock(shop, outletId, coffee, 3)
    const beans = await add('beans', { name: 'Biji', variants: [{ price: 1_000, barcode: '2012345678900' }] })
    await add('service', { name: 'Barista', kind: 'SERVICE', variants: [{ price: 0 }] })
    const cup = await add('cup', { name: 'Paket', variants: [{ price: 20_000 }] })
    const components = [
      { componentVariantId: coffee, quantity: 2 },
      { componentVariantId: beans, quantity: 1 },
    ]
    const recipe = `/products/${ids.get('product of cup')}/variants/${cup}/recipe`
    done(await shop.put(recipe, { isComposite: true, components }))
    await add('hidden', { name: 'Lama', isActive: false, variants: [{ price: 5 }] })
    const evil = '=cmd|"/c calc"!A1, <b>&amp;</b> ]]> \u0001\u000b\u2028\uffff;\nDROP 😀'
    await add('evil', { name: evil, description: `'"${evil}`, variants: [{ price: 7 }] })
    done(
      await shop.patch(FEEDS, {
        productUrl: 'https://toko.example/p/{variantId}?s={sku}',
        defaultFeedProductCategory: 'Food > Beverages',
      }),
    )
  })

  test('has the same items for every merchant centre, in rupiah and with what is in stock', async () => {
    const google = await itemsOf(shop, 'google')
    expect(google.map(({ id }) => id)).toEqual(
      ['coffee', 'beans', 'service', 'cup', 'evil'].map((key) => ids.get(key)),
    )
    expect(google[0]).toEqual({
      id: ids.get('coffee'),
      item_group_id: expect.stringMatching(/^prd_/),
      title: 'Kopi susu (Large)',
      description: 'Dengan gula aren',
      link: `https://toko.example/p/${ids.get('coffee')}?s=KS%201`,
      image_link: 'https://img.example/kopi%20susu/%C3%A9.jpg',
      availability: 'in_stock',
      price: '18000 IDR',
      condition: 'new',
      gtin: '8991234567891',
      mpn: 'KS 1',
      google_product_category: 'Food > Beverages',
      product_type: 'Minuman',
    })
    expect(google.map(({ availability }) => availability)).toEqual([
      'in_stock',
      'out_of_stock',
      'in_stock',
      'out_of_stock',
      'out_of_stock',
    ])
    expect(google[1]).toMatchObject({ identifier_exists: 'no' })
    for (const format of ['facebook', 'tiktok']) {
      const rows = await itemsOf(shop, format)
      expect(rows.map((row) => row[format === 'tiktok' ? 'sku_id' : 'id'])).toEqual(
        google.map(({ id }) => id),
      )
      expect(rows[0]).toMatchObject({
        title: 'Kopi susu (Large)',
        availability: 'in stock',
        condition: 'new',
        price: '18000 IDR',
        brand: 'Kopi & <Teh>',
        gtin: '8991234567891',
        google_product_category: 'Food > Beverages',
      })
      expect(rows[1]).toMatchObject({ availability: 'out of stock', gtin: '' })
    }
    const [first] = await itemsOf(shop, 'json')
    expect(first).toMatchObject({ availability: 'in_stock', price: { amount: 18_000, currency: 'IDR' } })
  })

  test('what is made of parts is in stock where one outlet has them all', async () => {
    const [here, there] = [await makeOutlet(shop), await makeOutlet(shop)]
    const ofCup = async () =>
      (await itemsOf(shop, 'google')).find(({ id }) => id === ids.get('cup'))?.['availability']
    const count = (outletId: string, key: string, qtyDelta: number) =>
      stock(shop, outletId, ids.get(key) as string, qtyDelta)
    await count(here, 'coffee', 2)
    await count(there, 'beans', 1)
    expect(await ofCup()).toBe('out_of_stock')
    await count(here, 'beans', 1)
    expect(await ofCup()).toBe('in_stock')
    done(await shop.patch(`/outlets/${here}`, { isActive: false }))
    expect(await ofCup()).toBe('out_of_stock')
  })

  test('evil names arrive as text: nothing breaks out of a field, nothing is a formula', async () => {
    const text = '=cmd|"/c calc"!A1, <b>&amp;</b> ]]>  ; DROP 😀'
    for (const format of ['google', 'facebook', 'tiktok', 'json']) {
      const { content } = await preview(shop, format)
      // oxlint-disable-next-line no-control-regex -- they are what must not be there
      expect(content).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u2028\uffff]/)
      const evil = (await itemsOf(shop, format)).at(-1)
      expect([evil?.['title'], evil?.['description']]).toEqual([text, `'"${text}`])
    }
    const cells = parse((await preview(shop, 'facebook')).content).flat() as string[]
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([])
    expect((await preview(shop, 'google')).content).not.toContain(']]>')
  })

  test('says what an item lacks', async () => {
    const { errors, itemCount } = await preview(shop, 'google')
    expect(itemCount).toBe(5)
    const of = (key: string) =>
      errors.filter(({ itemId }) => itemId === ids.get(key)).map(({ field }) => field)
    expect([of('coffee'), of('beans'), of('service')]).toEqual([
      [],
      ['link', 'image_link'],
      ['link', 'image_link', 'price'],
    ])
  })

  test('inactive products are in it only when they are asked for, inactive variants never', async () => {
    const count = async () => (await preview(shop, 'json')).itemCount
    expect(await count()).toBe(5)
    done(await shop.patch(FEEDS, { includeUnpublished: true }))
    expect(await count()).toBe(6)
    done(await shop.patch(FEEDS, { includeUnpublished: false }))
  })

  test('shows the first twenty items and counts them all; another workspace has none of them', async () => {
    const variants = Array.from({ length: 25 }, (_, i) => ({ name: `V${i}`, price: 100 + i }))
    await makeProduct(globex(), { name: 'Banyak', variants })
    const { itemCount, content } = await preview(globex(), 'json')
    expect([itemCount, JSON.parse(content).items.length]).toEqual([25, 20])
    const empty = await marketer('Empty')
    for (const format of ['google', 'facebook', 'tiktok', 'json']) {
      expect([format, (await preview(empty, format)).itemCount]).toEqual([format, 0])
      expect(await itemsOf(empty, format)).toEqual([])
    }
  })
})

test.each([
  ['8991234567891', '8991234567891'],
  ['8991234567892', null],
  ['96385074', '96385074'],
  ['036000291452', '036000291452'],
  ['10012345678902', '10012345678902'],
  ['2012345678900', null],
  ['0212345678901', null],
  ['ABC', null],
  ['', null],
])('the barcode %j as a GTIN is %j', (barcode, gtin) => {
  expect(gtinOf(barcode)).toBe(gtin)
})
