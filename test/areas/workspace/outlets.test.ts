import { expect, test } from 'vitest'
import { makeProduct, sell } from '../../support/build.ts'
import { refusalOf } from '../../support/expect.ts'
import { eventsOf } from '../../support/read.ts'
import { acme, deps, globex, useService, workspace } from '../../support/service.ts'

useService()

test('POST /outlets answers 201 with every field and its default', async () => {
  const created = await acme().post('/outlets', { name: ' Kemang ' })
  expect(created.status).toBe(201)
  expect(created.data.outlet).toMatchObject({
    name: 'Kemang',
    address: null,
    phone: null,
    timezone: 'Asia/Jakarta',
    taxRateBps: 0,
    taxInclusive: false,
    taxLabel: 'Pajak',
    receiptHeader: null,
    receiptFooter: null,
    isActive: true,
  })
  expect(created.data.outlet.id).toMatch(/^out_[0-9A-HJKMNP-TV-Z]{26}$/)
})

test('an outlet calls its tax what the law calls it, and keeps the name through other changes', async () => {
  const { outlet } = (await acme().post('/outlets', { name: 'Resto', taxLabel: ' PB1 ' })).data
  expect(outlet.taxLabel).toBe('PB1')
  expect((await acme().patch(`/outlets/${outlet.id}`, { phone: '021' })).data.outlet.taxLabel).toBe('PB1')
  expect((await acme().patch(`/outlets/${outlet.id}`, { taxLabel: 'PPN' })).data.outlet.taxLabel).toBe('PPN')
})

test('PATCH keeps what is absent, clears what is null and refuses null where nothing can be cleared', async () => {
  const { data } = await acme().post('/outlets', {
    name: 'Senopati',
    phone: '021',
    address: 'Jl. Senopati 1',
  })
  const patched = await acme().patch(`/outlets/${data.outlet.id}`, { phone: null })
  expect(patched.data.outlet).toMatchObject({ name: 'Senopati', phone: null, address: 'Jl. Senopati 1' })
  const refused = await acme().patch(`/outlets/${data.outlet.id}`, { name: null })
  expect(refusalOf(refused)).toMatchObject({ status: 400, param: 'name' })
  const untouched = await acme().patch(`/outlets/${data.outlet.id}`, {})
  expect([untouched.status, untouched.data.outlet]).toEqual([200, patched.data.outlet])
})

test.each([
  [{}, 400, 'name'],
  [{ name: '  ' }, 400, 'name'],
  [{ name: 'x'.repeat(121) }, 400, 'name'],
  [{ name: 5 }, 400, 'name'],
  [{ name: 'A', taxRateBps: 10_001 }, 400, 'taxRateBps'],
  [{ name: 'A', taxRateBps: 1.5 }, 400, 'taxRateBps'],
  [{ name: 'A', taxRateBps: '11' }, 400, 'taxRateBps'],
  [{ name: 'A', taxInclusive: 1 }, 400, 'taxInclusive'],
  [{ name: 'A', taxLabel: ' ' }, 400, 'taxLabel'],
  [{ name: 'A', taxLabel: null }, 400, 'taxLabel'],
  [{ name: 'A', taxLabel: 'x'.repeat(31) }, 400, 'taxLabel'],
  [{ name: 'A', timezone: 'Asia/Bandung' }, 422, 'timezone'],
  [{ name: 'A', timezone: '+07:00' }, 422, 'timezone'],
  [{ name: 'A', timezone: '-05' }, 422, 'timezone'],
  [{ name: 'A', timezone: 'PST' }, 422, 'timezone'],
])('POST /outlets refuses %j', async (body, status, param) => {
  const refused = await acme().post('/outlets', body)
  expect(refusalOf(refused)).toEqual({ status, code: 'VALIDATION_ERROR', param })
})

test.each([
  ['asia/jakarta', 'Asia/Jakarta'],
  ['ASIA/JAKARTA', 'Asia/Jakarta'],
  ['Asia/Jakrta', 'Asia/Jakarta'],
  ['Jakarta', 'Asia/Jakarta'],
  ['asia/kolkata', 'Asia/Kolkata'],
  ['America/New York', 'America/New_York'],
])('a time zone spelled %s is refused, and %s is proposed', async (timezone, meant) => {
  const { data } = await acme().post('/outlets', { name: 'A', timezone: 'Asia/Makassar' })
  const path = `/outlets/${data.outlet.id}`
  for (const refused of [
    await acme().post('/outlets', { name: 'A', timezone }),
    await acme().patch(path, { timezone }),
  ]) {
    expect([refused.status, refused.error]).toEqual([
      422,
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        param: 'timezone',
        message: `${timezone} is not an IANA time zone; did you mean ${meant}?`,
      }),
    ])
  }
  expect((await acme().get(path)).data.outlet.timezone).toBe('Asia/Makassar')
  expect((await acme().patch(path, { timezone: meant })).data.outlet.timezone).toBe(meant)
})

test('a time zone that only the runtime knows, not the database, is refused', async () => {
  const timezone = 'Canada/East-Saskatchewan'
  const { outlet } = (await acme().post('/outlets', { name: 'Here' })).data
  for (const refused of [
    await acme().post('/outlets', { name: 'There', timezone }),
    await acme().patch(`/outlets/${outlet.id}`, { timezone }),
  ])
    expect([refused.status, refused.error]).toEqual([
      422,
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        param: 'timezone',
        message: `The database of this service does not know the time zone ${timezone}; choose another one with the same time`,
      }),
    ])
})

test('an outlet whose time zone was stored in another spelling keeps it and works as before', async () => {
  const { data } = await acme().post('/outlets', { name: 'Old', timezone: 'Asia/Kolkata' })
  const { id } = data.outlet
  await deps()
    .db.updateTable('outlets')
    .set({ timezone: 'ASIA/kolkata' })
    .where('accountId', '=', acme().workspace.accountId)
    .where('id', '=', id)
    .execute()
  const { outlet } = (await acme().get(`/outlets/${id}`)).data
  const sentBack = await acme().patch(`/outlets/${id}`, { ...outlet, name: 'New' })
  expect([sentBack.status, sentBack.data.outlet]).toMatchObject([
    200,
    { name: 'New', timezone: 'ASIA/kolkata' },
  ])
  expect((await acme().get(`/inventory/expiring?outletId=${id}`)).status).toBe(200)
})

test('an outlet of another workspace answers 404 to every verb', async () => {
  const { data } = await acme().post('/outlets', { name: 'Private' })
  const path = `/outlets/${data.outlet.id}`
  const answers = [
    await globex().get(path),
    await globex().patch(path, { name: 'Mine' }),
    await globex().delete(path),
  ]
  expect(answers.map(refusalOf)).toMatchObject(Array(3).fill({ status: 404, code: 'NOT_FOUND' }))
})

test('an outlet that never sold is deleted', async () => {
  const { data } = await acme().post('/outlets', { name: 'Pop-up' })
  const gone = await acme().delete(`/outlets/${data.outlet.id}`)
  expect(gone.data).toEqual({ id: data.outlet.id, deleted: true })
  expect((await acme().get(`/outlets/${data.outlet.id}`)).status).toBe(404)
})

test('a deleted outlet leaves an audit event: who, which outlet, and how much went with it', async () => {
  const api = await workspace()
  const { outlet } = (await api.post('/outlets', { name: 'Bazar' })).data
  const outletId = outlet.id
  const product = await makeProduct(api, { variants: [{ price: 1 }, { price: 2 }] })
  const [a, b] = product.variants.map((variant: { id: string }) => variant.id)
  for (const qtyDelta of [5, -1]) await api.post('/inventory/adjust', { outletId, variantId: a, qtyDelta })
  await api.post('/inventory/batches', { outletId, variantId: b, qty: 3, batchNo: 'B-1' })
  await api.post('/tables', { outletId, label: '1' })
  await api.post('/tables', { outletId, label: '2' })
  const { shift } = (await api.post('/shifts/open', { outletId, openingFloat: 0 })).data
  for (const amount of [1_000, 2_000, 3_000])
    await api.post(`/shifts/${shift.id}/cash-movements`, { type: 'PAID_IN', amount })
  const items = [a, b].map((variantId) => ({ variantId, qty: 1 }))
  await api.post('/purchase-orders', { outletId, items })
  expect((await api.delete(`/outlets/${outletId}`)).data).toEqual({ id: outletId, deleted: true })
  expect(await eventsOf(api, 'audit.outlet.deleted.v1')).toEqual([
    {
      outlet,
      removed: {
        stockLevels: 2,
        stockMovements: 3,
        stockBatches: 1,
        floors: 1,
        tables: 2,
        shifts: 1,
        cashMovements: 3,
        purchaseOrders: 1,
        purchaseOrderItems: 2,
      },
      actor: { kind: 'apiKey', id: api.workspace.keyId, name: 'Workspace till' },
    },
  ])
  for (const table of [
    'stockLevels',
    'stockMovements',
    'stockBatches',
    'shifts',
    'purchaseOrders',
  ] as const) {
    const left = await deps().db.selectFrom(table).select('id').where('outletId', '=', outletId).execute()
    expect([table, left]).toEqual([table, []])
  }
})

test('an outlet that is only deactivated, or not there, leaves no audit event', async () => {
  const api = await workspace()
  await sell(api, (await makeProduct(api)).variants[0].id)
  const [{ id }] = (await api.get('/outlets')).data.outlets
  expect((await api.delete(`/outlets/${id}`)).data.deactivated).toBe(true)
  expect((await api.delete('/outlets/out_unknown')).status).toBe(404)
  expect(await eventsOf(api, 'audit.outlet.deleted.v1')).toEqual([])
})
