import { describe, expect, test } from 'vitest'
import { importCatalogue } from '../../../src/areas/catalogue/products/csv/import.ts'
import { expires } from '../../../src/jobs.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { sweep } from '../../../src/platform/jobs/sweep.ts'
import type { Api } from '../../support/api.ts'
import {
  makeCategory,
  makeComposite,
  makeCustomer,
  makeFloor,
  makeModifier,
  makeModifierGroup,
  makeOutlet,
  makeProduct,
  makeSale,
  makeTable,
  openShift,
  stock,
} from '../../support/build.ts'
import { memberOf, scopeOf } from '../../support/clients.ts'
import { done, refusalOf } from '../../support/expect.ts'
import { memberWithPin } from '../../support/pins.ts'
import { acme, address, as, deps, globex, useService, workspace } from '../../support/service.ts'
import { openStream } from '../../support/stream.ts'

const DAY_MS = 86_400_000
const clock = manualClock('2026-11-21T03:00:00.000Z')
useService({ clock })

const read = async (api: Api, outletId: string, since?: string) =>
  done(await api.get(`/catalogue?outletId=${outletId}${since === undefined ? '' : `&since=${since}`}`))
const versionOf = async (api: Api, outletId: string): Promise<string> => (await read(api, outletId)).version

describe('the catalogue of a till', () => {
  test('has the terms a total is computed with, and names each of them again once it changed', async () => {
    const api = await workspace('Terms')
    const service = {
      serviceChargeBps: 500,
      serviceChargeOrderTypes: ['DINE_IN', 'TAKEAWAY'],
      serviceChargeBase: 'BEFORE_DISCOUNT',
      serviceChargeTaxable: false,
    }
    const outletId = await makeOutlet(api, { ...service, cashRounding: { step: 100, mode: 'DOWN' } })
    const { id } = await makeProduct(api, { name: 'Beras', taxRateBps: 0 })
    const first = await read(api, outletId)
    expect(first).toMatchObject({
      outlet: { ...service, cashRounding: { step: 100, mode: 'DOWN' } },
      settings: { openItems: true },
      products: [{ id, taxRateBps: 0 }],
    })
    done(
      await api.patch(`/outlets/${outletId}`, {
        serviceChargeBps: 700,
        cashRounding: { step: 0, mode: 'UP' },
      }),
    )
    done(await api.put('/settings', { openItems: false }))
    done(await api.patch(`/products/${id}`, { taxRateBps: 1_100 }))
    expect(await read(api, outletId, first.version)).toMatchObject({
      isWhole: false,
      outlet: { ...service, serviceChargeBps: 700, cashRounding: { step: 0, mode: 'UP' } },
      settings: { openItems: false },
      products: [{ id, taxRateBps: 1_100 }],
    })
  })

  test('has goods on sale, modifiers, tables, settings and members with a PIN, and no stock or cost', async () => {
    const api = await workspace('Whole')
    const outletId = await makeOutlet(api, { name: 'Kemang', taxRateBps: 1_000, taxInclusive: true })
    const categoryId = await makeCategory(api, { name: 'Minuman', station: 'BAR' })
    const groupId = await makeModifierGroup(api, { name: 'Susu', maxSelect: 1 })
    const modifierId = await makeModifier(api, groupId, { name: 'Oat', price: 5_000 })
    const product = await makeProduct(api, {
      name: 'Kopi susu',
      categoryId,
      variants: [
        { name: 'Besar', price: 25_000, sku: 'KS-B', barcode: '8991', cost: 9_000, sortOrder: 2 },
        { name: 'Lama', price: 1, isActive: false },
      ],
    })
    const big = product.variants.find(({ name }: { name: string }) => name === 'Besar')
    done(await api.put(`/modifiers/product/${product.id}`, { groupIds: [groupId] }))
    await makeProduct(api, { name: 'Musiman', isActive: false })
    const table = await makeTable(api, outletId, 'T1', { seats: 4 })
    await makeTable(api, await makeOutlet(api), 'Elsewhere')
    const cashier = await memberWithPin(api, 'CASHIER')
    await memberOf(api, 'MANAGER')
    await stock(api, outletId, big.id, 7)

    const catalogue = await read(api, outletId)
    expect(catalogue).toMatchObject({
      isWhole: true,
      outlet: { id: outletId, name: 'Kemang', taxRateBps: 1_000, taxInclusive: true },
      settings: { negativeStock: 'ALLOW', currency: 'IDR', approvals: { void: false } },
      categories: [{ id: categoryId, name: 'Minuman', station: 'BAR' }],
      tables: [{ id: table.id, label: 'T1', seats: 4 }],
      members: [{ id: cashier.id, role: 'CASHIER' }],
      removed: [],
    })
    expect(catalogue.products).toEqual([
      {
        id: product.id,
        name: 'Kopi susu',
        categoryId,
        kind: 'GOODS',
        trackStock: true,
        requiresBatch: false,
        taxRateBps: null,
        imageUrl: null,
        station: null,
        modifierGroupIds: [groupId],
      },
    ])
    expect(catalogue.variants).toEqual([
      {
        id: big.id,
        productId: product.id,
        name: 'Besar',
        sku: 'KS-B',
        barcodes: ['8991'],
        price: 25_000,
        packs: [],
        soldBy: 'UNIT',
        sortOrder: 2,
        isComposite: false,
        isAvailable: true,
      },
    ])
    expect(catalogue.modifierGroups).toEqual([
      {
        id: groupId,
        name: 'Susu',
        minSelect: 0,
        maxSelect: 1,
        modifiers: [expect.objectContaining({ id: modifierId, name: 'Oat', price: 5_000 })],
      },
    ])
    expect(catalogue.floors).toHaveLength(1)
  })

  test('answers 304 to its ETag until something changes, for each outlet', async () => {
    const api = await workspace('Tagged')
    const [outletId, other] = [await makeOutlet(api), await makeOutlet(api)]
    const answer = await api.get(`/catalogue?outletId=${outletId}`)
    const etag = answer.headers.get('etag') ?? ''
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    const ask = (id: string) => api.get(`/catalogue?outletId=${id}`, { headers: { 'if-none-match': etag } })
    expect((await ask(outletId)).status).toBe(304)
    expect((await ask(other)).status).toBe(200)
    await makeProduct(api)
    expect((await ask(outletId)).status).toBe(200)
  })

  test('is 404 for an outlet of another workspace and needs an outlet and a credential', async () => {
    const outletId = await makeOutlet(acme())
    expect(refusalOf(await globex().get(`/catalogue?outletId=${outletId}`))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      param: 'outletId',
    })
    expect(refusalOf(await acme().get('/catalogue'))).toMatchObject({ status: 400, param: 'outletId' })
    expect(refusalOf(await as(null).get(`/catalogue?outletId=${outletId}`))).toMatchObject({ status: 401 })
  })
})

describe('since a version', () => {
  test('a new price answers its product and variants only', async () => {
    const api = await workspace('Price')
    const outletId = await makeOutlet(api)
    const [one] = [await makeProduct(api), await makeProduct(api)]
    const before = await versionOf(api, outletId)
    done(await api.patch(`/products/${one.id}/variants/${one.variants[0].id}`, { price: 12_345 }))
    const changed = await read(api, outletId, before)
    expect(changed).toMatchObject({
      isWhole: false,
      categories: [],
      products: [{ id: one.id }],
      variants: [{ id: one.variants[0].id, price: 12_345 }],
      modifierGroups: [],
      tables: [],
      members: [],
      removed: [],
    })
    expect(await read(api, outletId, changed.version)).toMatchObject({
      products: [],
      variants: [],
      removed: [],
    })
  })

  test('with more than 5,000 records changed, the whole catalogue is answered', async () => {
    const api = await workspace('Many')
    const outletId = await makeOutlet(api)
    const before = await versionOf(api, outletId)
    const { id } = await makeProduct(api)
    const fill = (from: number, to: number) =>
      deps().pool.query(
        `insert into catalogue_changes (account_id, type, id, version, updated_at)
          select c.account_id, c.type, c.id || n, c.version, c.updated_at from catalogue_changes c, generate_series($2::int, $3) n
          where c.account_id = $1 and c.id = $4`,
        [api.workspace.accountId, from, to, id],
      )
    const { rows } = await deps().pool.query<{ n: number }>(
      'select count(*)::int as n from catalogue_changes where account_id = $1 and version > $2',
      [api.workspace.accountId, before.split('-')[0]],
    )
    await fill(1, 5_000 - (rows[0]?.n ?? 0))
    expect(await read(api, outletId, before)).toMatchObject({ isWhole: false, products: [{ id }] })
    await fill(5_001, 5_001)
    const { isWhole, products, removed } = await read(api, outletId, before)
    expect({ isWhole, products, removed }).toMatchObject({ isWhole: true, products: [{ id }], removed: [] })
  })

  test('what was deleted or deactivated is listed as removed, record by record', async () => {
    const api = await workspace('Removed')
    const outletId = await makeOutlet(api)
    const categoryId = await makeCategory(api)
    const groupId = await makeModifierGroup(api)
    const floorId = await makeFloor(api, outletId)
    const table = await makeTable(api, outletId, 'T2', { floorId })
    const member = await memberWithPin(api, 'CASHIER')
    const gone = await makeProduct(api)
    const sold = await makeProduct(api)
    await makeSale(api, { outletId, items: [{ variantId: sold.variants[0].id, quantity: 1 }] })
    const smaller = await makeProduct(api, {
      variants: [
        { name: 'A', price: 1 },
        { name: 'B', price: 2 },
      ],
    })
    const before = await versionOf(api, outletId)
    done(await api.delete(`/categories/${categoryId}`))
    done(await api.delete(`/modifiers/${groupId}`))
    done(await api.delete(`/tables/${table.id}`))
    done(await api.delete(`/floors/${floorId}`))
    done(await api.patch(`/members/${member.id}`, { pin: null }))
    done(await api.delete(`/products/${gone.id}`))
    done(await api.delete(`/products/${sold.id}`))
    done(await api.delete(`/products/${smaller.id}/variants/${smaller.variants[1].id}`))
    const changed = await read(api, outletId, before)
    expect(changed.products.map(({ id }: { id: string }) => id)).toEqual([smaller.id])
    expect(changed.variants.map(({ id }: { id: string }) => id)).toEqual([smaller.variants[0].id])
    const expected = [
      ['category', categoryId],
      ['floor', floorId],
      ['member', member.id],
      ['modifierGroup', groupId],
      ['product', gone.id],
      ['product', sold.id],
      ['table', table.id],
      ['variant', gone.variants[0].id],
      ['variant', smaller.variants[1].id],
      ['variant', sold.variants[0].id],
    ]
    const removed = changed.removed.map(({ type, id }: { type: string; id: string }) => [type, id])
    expect(removed.map(String).toSorted()).toEqual(expected.map(String).toSorted())
  })

  test('a component that leaves the sale makes its composite unavailable', async () => {
    const api = await workspace('Recipe')
    const outletId = await makeOutlet(api)
    const milk = await makeProduct(api, { name: 'Milk' })
    const latteId = await makeComposite(api, [[milk.variants[0].id, 2]])
    const whole = await read(api, outletId)
    const latte = whole.variants.find(({ id }: { id: string }) => id === latteId)
    expect(latte).toMatchObject({ isComposite: true, isAvailable: true })
    done(await api.patch(`/products/${milk.id}`, { isActive: false }))
    const changed = await read(api, outletId, whole.version)
    expect(changed.variants).toEqual([{ ...latte, isAvailable: false }])
  })

  test('that is unknown, of another workspace or 31 days old is 400 and says what to do', async () => {
    const api = await workspace('Unknown')
    const outletId = await makeOutlet(api)
    const old = await versionOf(api, outletId)
    await makeProduct(api)
    const stranger = await versionOf(globex(), await makeOutlet(globex()))
    for (const since of ['1', 'x', '9999-abcdefabcdef', '1-000000000000', stranger]) {
      const refused = await api.get(`/catalogue?outletId=${outletId}&since=${since}`)
      expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param: 'since' })
      expect(refused.error.message).toContain('without since')
    }
    expect((await read(api, outletId, old)).products).toHaveLength(1)
    const current = await versionOf(api, outletId)
    clock.advance(33 * DAY_MS)
    await sweep(deps(), expires)
    expect((await api.get(`/catalogue?outletId=${outletId}&since=${old}`)).status).toBe(400)
    expect(await read(api, outletId, current)).toMatchObject({ isWhole: false, products: [] })
    const { rows } = await deps().pool.query('select 1 from catalogue_changes where account_id = $1', [
      api.workspace.accountId,
    ])
    expect(rows).toEqual([])
  })
})

describe('the version of the catalogue', () => {
  const outlet = { current: '' }
  const writes: [table: string, write: (api: Api) => Promise<unknown>][] = [
    ['categories', async (api) => makeCategory(api)],
    [
      'categories in another order',
      async (api) => {
        const ids = [await makeCategory(api), await makeCategory(api)]
        const known = done(await api.get('/categories')).categories.map(({ id }: { id: string }) => id)
        return done(await api.post('/categories/reorder', { ids: [...new Set([...ids, ...known])] }))
      },
    ],
    ['products', async (api) => makeProduct(api)],
    [
      'products of a category',
      async (api) => {
        const { id } = await makeProduct(api)
        const categoryId = await makeCategory(api)
        return done(await api.post('/products/bulk-category', { productIds: [id], categoryId }))
      },
    ],
    [
      'variants',
      async (api) => done(await api.post(`/products/${(await makeProduct(api)).id}/variants`, { price: 5 })),
    ],
    ['recipe_components', async (api) => makeComposite(api, [[(await makeProduct(api)).variants[0].id, 1]])],
    ['modifier_groups', async (api) => makeModifierGroup(api)],
    ['modifiers', async (api) => makeModifier(api, await makeModifierGroup(api))],
    [
      'product_modifier_groups',
      async (api) => {
        const groupId = await makeModifierGroup(api)
        const { id } = await makeProduct(api)
        return done(await api.put(`/modifiers/product/${id}`, { groupIds: [groupId] }))
      },
    ],
    ['floors', async (api) => makeFloor(api, outlet.current)],
    ['dining_tables', async (api) => makeTable(api, outlet.current)],
    [
      'the layout of dining_tables',
      async (api) => {
        const { id } = await makeTable(api, outlet.current)
        const tables = [{ id, posX: 10, posY: 20 }]
        return done(await api.put('/tables/layout', { outletId: outlet.current, tables }))
      },
    ],
    ['outlets', async (api) => done(await api.patch(`/outlets/${outlet.current}`, { taxRateBps: 500 }))],
    ['settings', async (api) => done(await api.put('/settings', { transferBankName: 'BCA' }))],
    ['members and member_pins', async (api) => memberWithPin(api, 'CASHIER')],
    [
      'a file of goods',
      async (api) => {
        async function* file() {
          yield Buffer.from('product,price\nTeh manis,5000\n')
        }
        return importCatalogue(deps(), scopeOf(api), file)
      },
    ],
  ]

  test.each(writes)('moves with a write of %s', async (_table, write) => {
    const api = await workspace('Moves')
    outlet.current = await makeOutlet(api)
    const before = await versionOf(api, outlet.current)
    await write(api)
    expect(await versionOf(api, outlet.current)).not.toBe(before)
  })

  test('stays through sales, payments, refunds, voids, stock and customers', async () => {
    const api = await workspace('Stays')
    const outletId = await makeOutlet(api)
    const product = await makeProduct(api)
    const variantId = product.variants[0].id
    const table = await makeTable(api, outletId)
    done(await api.get('/settings'))
    const before = await versionOf(api, outletId)
    await openShift(api, outletId)
    await stock(api, outletId, variantId, 10)
    const items = [{ variantId, quantity: 1 }]
    const customerId = await makeCustomer(api)
    const sale = await makeSale(api, { outletId, items, customerId })
    done(await api.post(`/sales/${sale.id}/refund`, {}))
    const voided = await makeSale(api, { outletId, items })
    done(await api.post(`/sales/${voided.id}/void`))
    const bill = await makeSale(api, { outletId, items, tableId: table.id, status: 'PARKED' })
    done(await api.post(`/sales/${bill.id}/payments`, { method: 'CASH', amount: 50_000 }))
    expect(await versionOf(api, outletId)).toBe(before)
  })

  test('counts every one of fifty concurrent writes, and no till misses one', async () => {
    const api = await workspace('Writers')
    const outletId = await makeOutlet(api)
    const seen = new Map<string, number>()
    let since = await versionOf(api, outletId)
    const follow = async () => {
      const changed = await read(api, outletId, since)
      for (const { id, price } of changed.variants) seen.set(id, price)
      since = changed.version
    }
    const products = await Promise.all(Array.from({ length: 10 }, () => makeProduct(api)))
    const writing = Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const product = products[n % 10]
        const variant = product.variants[0].id
        done(await api.patch(`/products/${product.id}/variants/${variant}`, { price: 1_000 + n }))
      }),
    )
    for (let n = 0; n < 5; n += 1) await follow()
    await writing
    await follow()
    const { variants } = await read(api, outletId)
    expect(variants).toHaveLength(10)
    for (const { id, price } of variants) expect(seen.get(id)).toBe(price)
    expect(Number(since.split('-')[0])).toBe(Number((await versionOf(api, outletId)).split('-')[0]))
  })
})

test('a live stream names the topic catalogue within two seconds of a new price', async () => {
  const api = await workspace('Live')
  const outletId = await makeOutlet(api)
  const product = await makeProduct(api)
  const stream = await openStream(address(), api.workspace.key, { query: `?outletId=${outletId}` })
  try {
    done(await api.patch(`/products/${product.id}/variants/${product.variants[0].id}`, { price: 7 }))
    await stream.until(
      ({ frames }) => frames().some(({ change }) => change.topic === 'catalogue' && change.outletId === null),
      2_000,
    )
  } finally {
    stream.close()
  }
})
