import { describe, expect, test } from 'vitest'
import type { Client } from '../harness.ts'
import { clientOf, partner, usePartner } from './partner.ts'

usePartner()

const GUDANG = { name: 'Gudang Cakung', address: 'Jl. Raya Bekasi 20', postalCode: '13910' }
const warehouse = async (client: Client, more: Record<string, unknown> = {}) =>
  (await client.post('/v1/warehouses', { ...GUDANG, ...more })).data
const adjust = (client: Client, body: Record<string, unknown>) => client.post('/v1/inventory/adjust', body)
const workspace = async (externalId: string) => {
  const { data } = await partner().platform.post('/v1/workspaces', { externalId, name: 'Kedai' })
  return clientOf(partner().url, data.apiKey)
}
const idsIn = (answer: { data: { id: string }[] }) => answer.data.map(({ id }) => id)

describe('warehouses', () => {
  test('are added, changed, listed, switched off and removed', async () => {
    const client = await workspace('acc_whs')
    const made = await warehouse(client)
    expect(made).toMatchObject({ ...GUDANG, isActive: true })
    const path = `/v1/warehouses/${made.id}`
    const changed = await client.patch(path, { name: 'Gudang Utara', isActive: false })
    expect(changed.data).toMatchObject({ ...GUDANG, name: 'Gudang Utara', isActive: false })
    expect((await client.get(path)).data).toEqual(changed.data)
    const other = await warehouse(client)
    expect(idsIn(await client.get('/v1/warehouses?isActive=true'))).toEqual([other.id])
    const first = await client.get('/v1/warehouses?limit=1')
    expect([idsIn(first), first.meta.hasMore]).toEqual([[other.id], true])
    expect(idsIn(await client.get(`/v1/warehouses?limit=1&cursor=${first.meta.nextCursor}`))).toEqual([
      made.id,
    ])
    expect((await client.delete(path)).data).toEqual({ id: made.id, deleted: true })
    expect((await client.delete(path)).status).toBe(404)
    expect((await client.get(path)).status).toBe(404)
  })

  test('that goods were in stay', async () => {
    const client = await workspace('acc_kept')
    const { id } = await warehouse(client)
    await adjust(client, { warehouseId: id, sku: 'A', qtyDelta: 1 })
    await adjust(client, { warehouseId: id, sku: 'A', qtyDelta: -1 })
    const refused = await client.delete(`/v1/warehouses/${id}`)
    expect([refused.status, refused.error.code]).toEqual([409, 'CONFLICT'])
  })

  test.each([
    [{ postalCode: '1391' }, 400, 'postalCode'],
    [{ postalCode: '13abc' }, 400, 'postalCode'],
    [{ postalCode: '19999' }, 422, 'postalCode'],
    [{ name: '' }, 400, 'name'],
    [{ address: 'x'.repeat(501) }, 400, 'address'],
    [{ isActive: 'yes' }, 400, 'isActive'],
    [{ isactive: true }, 400, 'isactive'],
  ])('refuse %j with the field at fault', async (more, status, param) => {
    const { acme } = partner()
    const created = await acme.post('/v1/warehouses', { ...GUDANG, ...more })
    expect([created.status, created.error?.param]).toEqual([status, param])
    const { id } = await warehouse(acme)
    const changed = await acme.patch(`/v1/warehouses/${id}`, more)
    expect([changed.status, changed.error?.param]).toEqual([status, param])
  })
})

describe('stock', () => {
  test('is what was moved in and out of each warehouse, and every step is kept', async () => {
    const client = await workspace('acc_stock')
    const [north, south] = [await warehouse(client), await warehouse(client, { name: 'Gudang Selatan' })]
    const came = await adjust(client, {
      warehouseId: north.id,
      sku: 'KOPI-1',
      name: 'Kopi',
      qtyDelta: 10,
      reason: 'PO 7',
    })
    expect(came.data).toMatchObject({
      level: { warehouseName: 'Gudang Cakung', sku: 'KOPI-1', productName: 'Kopi', quantity: 10 },
      movement: { qtyDelta: 10, balanceAfter: 10, reason: 'PO 7' },
    })
    const { productId } = came.data.level
    await adjust(client, { warehouseId: north.id, productId, qtyDelta: -4 })
    await adjust(client, { warehouseId: south.id, sku: 'KOPI-1', name: 'Kopi bubuk', qtyDelta: 3 })
    await adjust(client, { warehouseId: south.id, sku: 'TEH', qtyDelta: 1 })
    const products = (await client.get('/v1/inventory/products')).data
    expect(products.map(({ sku, name, quantity }: Record<string, unknown>) => [sku, name, quantity])).toEqual(
      [
        ['TEH', 'TEH', 1],
        ['KOPI-1', 'Kopi bubuk', 9],
      ],
    )
    expect(idsIn(await client.get('/v1/inventory/products?sku=KOPI-1'))).toEqual([productId])
    const levels = (await client.get(`/v1/inventory/stock?productId=${productId}`)).data
    expect(
      levels.map(({ warehouseId, quantity }: Record<string, unknown>) => [warehouseId, quantity]),
    ).toEqual([
      [south.id, 3],
      [north.id, 6],
    ])
    expect((await client.get(`/v1/inventory/stock?warehouseId=${south.id}`)).data).toHaveLength(2)
    const page = await client.get(`/v1/inventory/movements?warehouseId=${north.id}&limit=1`)
    expect(page.data[0]).toMatchObject({ qtyDelta: -4, balanceAfter: 6, reason: null, productId })
    const rest = await client.get(
      `/v1/inventory/movements?warehouseId=${north.id}&limit=1&cursor=${page.meta.nextCursor}`,
    )
    expect(rest.data.map(({ balanceAfter }: { balanceAfter: number }) => balanceAfter)).toEqual([10])
  })

  test('never falls below zero, however many take at once', async () => {
    const client = await workspace('acc_fifty')
    const { id: warehouseId } = await warehouse(client)
    await adjust(client, { warehouseId, sku: 'LAST', qtyDelta: 30 })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => adjust(client, { warehouseId, sku: 'LAST', qtyDelta: -1 })),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(20)
    expect(refused[0]?.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'There are 0 of LAST in Gudang Cakung; no more can be taken out',
      param: 'qtyDelta',
    })
    const { data } = await client.get('/v1/inventory/movements?limit=100')
    expect(data.map(({ balanceAfter }: { balanceAfter: number }) => balanceAfter)).toEqual(
      Array.from({ length: 31 }, (_, n) => n),
    )
  })

  test('fifty who bring a product for the first time make one of it', async () => {
    const client = await workspace('acc_first')
    const { id: warehouseId } = await warehouse(client)
    await Promise.all(
      Array.from({ length: 50 }, () => adjust(client, { warehouseId, sku: 'NEW', qtyDelta: 2 })),
    )
    const { data } = await client.get('/v1/inventory/products')
    expect(data.map(({ sku, quantity }: Record<string, unknown>) => [sku, quantity])).toEqual([['NEW', 100]])
  })

  test('comes into no warehouse that is switched off, and may leave it', async () => {
    const client = await workspace('acc_off')
    const { id: warehouseId } = await warehouse(client)
    await adjust(client, { warehouseId, sku: 'A', qtyDelta: 5 })
    await client.patch(`/v1/warehouses/${warehouseId}`, { isActive: false })
    const refused = await adjust(client, { warehouseId, sku: 'A', qtyDelta: 1 })
    expect([refused.status, refused.error.code]).toEqual([409, 'CONFLICT'])
    expect((await adjust(client, { warehouseId, sku: 'A', qtyDelta: -5 })).data.level.quantity).toBe(0)
  })

  test.each([
    [{ qtyDelta: 0 }, 422, 'qtyDelta'],
    [{ qtyDelta: 1.5 }, 400, 'qtyDelta'],
    [{ qtyDelta: 1_000_001 }, 400, 'qtyDelta'],
    [{ qtyDelta: -1 }, 422, 'qtyDelta'],
    [{ warehouseId: 'whs_none' }, 404, 'warehouseId'],
    [{ sku: undefined }, 400, 'sku'],
    [{ sku: 'x'.repeat(65) }, 400, 'sku'],
    [{ productId: 'prd_none' }, 404, 'productId'],
    [{ quantity: 3 }, 400, 'quantity'],
  ])('refuses %j with the field at fault, and makes no product', async (more, status, param) => {
    const client = await workspace('acc_bad')
    const { id: warehouseId } = await warehouse(client)
    const answer = await adjust(client, { warehouseId, sku: 'A', qtyDelta: 1, ...more })
    expect([answer.status, answer.error?.param]).toEqual([status, param])
    expect((await client.get('/v1/inventory/products')).data).toEqual([])
  })
})

describe('licenses', () => {
  test('are issued, listed and validated, until they expire', async () => {
    const client = await workspace('acc_lic')
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    const forever = (await client.post('/v1/licenses', { product: 'Kasir Pro' })).data
    const hour = (await client.post('/v1/licenses', { product: 'Kasir Pro', expiresAt: soon })).data
    expect(forever.key).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){4}$/)
    expect([forever.expiresAt, hour.expiresAt, hour.status]).toEqual([null, soon, 'active'])
    const validate = async (body: unknown, url = partner().url) =>
      (await clientOf(url, client.key).post('/v1/licenses/validate', body)).data
    const typed = forever.key.replaceAll('-', '').toLowerCase()
    expect(await validate({ key: typed })).toEqual({ valid: true, license: forever })
    expect(await validate({ key: forever.key, product: 'Kasir Lite' })).toEqual({
      valid: false,
      license: forever,
    })
    expect(await validate({ key: 'AAAAA-AAAAA' })).toEqual({ valid: false, license: null })
    const later = await partner().start({ now: () => new Date(Date.now() + 3_600_001).toISOString() })
    expect(await validate({ key: hour.key }, later.url)).toEqual({
      valid: false,
      license: { ...hour, status: 'expired' },
    })
    const there = clientOf(later.url, client.key)
    expect(idsIn(await there.get('/v1/licenses?status=expired'))).toEqual([hour.id])
    expect(idsIn(await there.get('/v1/licenses?status=active'))).toEqual([forever.id])
    await later.close()
    const page = await client.get('/v1/licenses?limit=1')
    expect(idsIn(await client.get(`/v1/licenses?limit=1&cursor=${page.meta.nextCursor}`))).toEqual([
      forever.id,
    ])
  })

  test.each([
    [{}, 400, 'product'],
    [{ product: 7 }, 400, 'product'],
    [{ product: 'P', expiresAt: 'soon' }, 400, 'expiresAt'],
    [{ product: 'P', expiresAt: '2020-01-01T00:00:00Z' }, 422, 'expiresAt'],
    [{ product: 'P', expires: '2030-01-01T00:00:00Z' }, 400, 'expires'],
  ])('refuse %j with the field at fault', async (body, status, param) => {
    const answer = await partner().acme.post('/v1/licenses', body)
    expect([answer.status, answer.error?.param]).toEqual([status, param])
  })
})

test('nothing of a workspace is there for another', async () => {
  const { acme, globex } = partner()
  const { id } = await warehouse(acme)
  const { data } = await adjust(acme, { warehouseId: id, sku: 'SECRET', qtyDelta: 5 })
  const { key } = (await acme.post('/v1/licenses', { product: 'Secret' })).data
  const foreign = await warehouse(globex)
  for (const answer of [
    await globex.get(`/v1/warehouses/${id}`),
    await globex.patch(`/v1/warehouses/${id}`, { name: 'Mine' }),
    await globex.delete(`/v1/warehouses/${id}`),
    await adjust(globex, { warehouseId: id, sku: 'SECRET', qtyDelta: -1 }),
    await adjust(globex, { warehouseId: foreign.id, productId: data.level.productId, qtyDelta: 1 }),
    await globex.get('/v1/warehouses/whs_a%2Fb'),
  ])
    expect([answer.status, answer.error.code]).toEqual([404, 'NOT_FOUND'])
  for (const list of ['inventory/products', 'inventory/stock', 'inventory/movements', 'licenses'])
    expect((await globex.get(`/v1/${list}?limit=100`)).data).toEqual([])
  expect((await globex.get(`/v1/inventory/stock?warehouseId=${id}`)).data).toEqual([])
  expect((await globex.post('/v1/licenses/validate', { key })).data).toEqual({ valid: false, license: null })
})
