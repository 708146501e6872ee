import { expect, test } from 'vitest'
import { createApp } from '../../../src/app.ts'
import { makeDeps } from '../../../src/main.ts'
import { openShop } from '../../support/build.ts'
import { refusalOf } from '../../support/expect.ts'
import { acme, as, deps, globex, startHarness, useService, workspace } from '../../support/service.ts'

useService()

const KEY = /^kasir_sk_[0-9A-HJKMNP-TV-Z]{26}_[A-Za-z0-9_-]{43}$/

/** Every text of the tables that a key could have leaked into, as one string. */
async function stored(accountId: string): Promise<string> {
  const { db } = deps()
  const rows = await Promise.all([
    db.selectFrom('apiKeys').selectAll().where('accountId', '=', accountId).execute(),
    db.selectFrom('idempotencyKeys').selectAll().where('accountId', '=', accountId).execute(),
    db.selectFrom('events').selectAll().where('accountId', '=', accountId).execute(),
  ])
  return JSON.stringify(rows)
}

test('POST /api-keys answers 201 with the record and the key, and the key works', async () => {
  const { accountId } = acme().workspace
  const created = await acme().post('/api-keys', { name: ' Till 2 ' })
  expect(created.status).toBe(201)
  const { apiKey, key } = created.data
  expect(key).toMatch(KEY)
  expect(key.split('_')[2]).toBe(accountId.slice(4))
  expect(apiKey).toEqual({
    id: expect.stringMatching(/^ak_[0-9A-Z]{26}$/),
    name: 'Till 2',
    prefix: 'kasir_sk_',
    last4: key.slice(-4),
    createdBy: acme().workspace.keyId,
    createdByName: 'Acme till',
    creatorLeft: false,
    readOnly: false,
    lastUsedAt: null,
    revokedAt: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  expect((await as(key).get('/outlets')).status).toBe(200)
})

test('the list is newest first, never shows a key and says when one was last used', async () => {
  const fresh = await workspace()
  const first = (await fresh.post('/api-keys', { name: 'First' })).data
  const second = (await fresh.post('/api-keys', { name: 'Second' })).data
  await as(first.key).get('/outlets')
  const list = async () => (await fresh.get('/api-keys')).data.apiKeys
  await expect
    .poll(async () => (await list()).find((row: { name: string }) => row.name === 'First').lastUsedAt)
    .not.toBeNull()
  const rows = await list()
  expect(rows.map((row: { name: string }) => row.name)).toEqual(['Second', 'First', 'Workspace till'])
  const text = (await fresh.get('/api-keys')).text
  for (const secret of [first.key, second.key, fresh.workspace.key]) expect(text).not.toContain(secret)
})

test('a repeat with the same Idempotency-Key answers the same key, and the database holds it only sealed', async () => {
  const fresh = await workspace()
  const options = { idempotencyKey: 'make-a-key' }
  const created = await fresh.post('/api-keys', { name: 'Kiosk' }, options)
  const again = await fresh.post('/api-keys', { name: 'Kiosk' }, options)
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect(again.data).toEqual(created.data)
  expect((await fresh.get('/api-keys')).data.apiKeys).toHaveLength(2)
  const text = await stored(fresh.workspace.accountId)
  expect(text).toContain('sealed.v2.')
  expect(text).not.toContain(created.data.key)
  expect(text).not.toContain(created.data.key.slice(-43))
  expect(text).not.toContain(Buffer.from(created.data.key).toString('base64').slice(0, 60))
})

test('a revoked key is refused on the next request, also by another process on the same database', async () => {
  const other = await makeDeps({
    config: deps().config,
    url: String(deps().pool.options.connectionString),
    log: deps().log,
  })
  const app = await createApp(other)
  try {
    const there = async (key: string) =>
      (
        await app.inject({
          method: 'GET',
          url: '/api/v1/outlets',
          headers: { authorization: `Bearer ${key}` },
        })
      ).statusCode
    for (let round = 0; round < 5; round += 1) {
      const { apiKey, key } = (await acme().post('/api-keys', { name: 'Lost' })).data
      expect([(await as(key).get('/outlets')).status, await there(key)]).toEqual([200, 200])
      const revoked = await acme().delete(`/api-keys/${apiKey.id}`)
      expect([revoked.status, revoked.data]).toEqual([200, { id: apiKey.id, revoked: true }])
      const here = await as(key).get('/outlets')
      expect([here.status, here.error.code, await there(key)]).toEqual([401, 'AUTH_REQUIRED', 401])
    }
  } finally {
    await app.close()
    await other.close()
  }
})

test('a key that has just sold sells nothing more once it is revoked, whatever it sends', async () => {
  const shop = await openShop(acme())
  const { apiKey, key } = (await acme().post('/api-keys', { name: 'Stolen' })).data
  const sale = {
    outletId: shop.outletId,
    items: [{ variantId: shop.latte, quantity: 1 }],
    status: 'COMPLETED',
  }
  const sell = (body: object, options: object = {}) => as(key).post('/sales', body, options)
  const once = { idempotencyKey: 'stolen-1' }
  const sold = await sell(sale, once)
  expect([sold.status, (await sell(sale, once)).data]).toEqual([201, sold.data])
  await acme().delete(`/api-keys/${apiKey.id}`)
  const attempts = {
    'another sale': await sell(sale),
    'a replay': await sell(sale, once),
    'a replay with another body': await sell({ ...sale, note: 'x' }, once),
    'a replay of what is refused before it is read': await sell(
      { ...sale, deliveryDraft: { a: 'x'.repeat(20_000) } },
      once,
    ),
    'an unknown outlet': await sell({ ...sale, outletId: 'out_1' }),
    'an empty cart': await sell({ ...sale, items: [] }),
    'a held bill': await sell({ ...sale, status: 'PARKED' }),
    'a bad field': await sell({ ...sale, status: 'PAID' }),
  }
  for (const [what, answer] of Object.entries(attempts)) {
    expect([what, answer.status, answer.error?.code, answer.data]).toEqual([what, 401, 'AUTH_REQUIRED', null])
  }
  expect((await acme().get(`/sales?outletId=${shop.outletId}`)).data).toHaveLength(1)
})

test('revoking twice answers the same and keeps the first moment', async () => {
  const { apiKey } = (await acme().post('/api-keys', { name: 'Twice' })).data
  const read = async () =>
    (await acme().get('/api-keys')).data.apiKeys.find((row: { id: string }) => row.id === apiKey.id)
  await acme().delete(`/api-keys/${apiKey.id}`)
  const before = await read()
  expect(before.revokedAt).toEqual(expect.any(String))
  const again = await acme().delete(`/api-keys/${apiKey.id}`)
  expect([again.status, again.data]).toEqual([200, { id: apiKey.id, revoked: true }])
  expect(await read()).toEqual(before)
})

test('a key may revoke itself, and is out at once', async () => {
  const { apiKey, key } = (await acme().post('/api-keys', { name: 'Self' })).data
  expect((await as(key).delete(`/api-keys/${apiKey.id}`)).status).toBe(200)
  expect((await as(key).get('/api-keys')).status).toBe(401)
})

test('a read-only key reads everything and writes nothing', async () => {
  const { key } = (await acme().post('/api-keys', { name: 'Report', readOnly: true })).data
  const reader = as(key)
  expect((await reader.get('/outlets')).status).toBe(200)
  const refused = [
    await reader.post('/outlets', { name: 'A' }),
    await reader.post('/outlets', {}),
    await reader.put('/settings', {}),
    await reader.post('/api-keys', { name: 'Wider' }),
    await reader.delete('/api-keys/ak_1'),
  ]
  expect(refused.map(refusalOf)).toMatchObject(Array(5).fill({ status: 403, code: 'FORBIDDEN' }))
})

test.each([
  [{}, 'name'],
  [{ name: '' }, 'name'],
  [{ name: '   ' }, 'name'],
  [{ name: null }, 'name'],
  [{ name: 7 }, 'name'],
  [{ name: 'x'.repeat(121) }, 'name'],
  [{ name: 'A', readOnly: 'yes' }, 'readOnly'],
  [{ name: 'A', readOnly: null }, 'readOnly'],
])('POST /api-keys refuses %j', async (body, param) => {
  const refused = await acme().post('/api-keys', body)
  expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
})

test('a key of another workspace answers 404 and stays alive', async () => {
  const { apiKey, key } = (await acme().post('/api-keys', { name: 'Ours' })).data
  const foreign = await globex().delete(`/api-keys/${apiKey.id}`)
  expect(refusalOf(foreign)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  expect((await as(key).get('/outlets')).status).toBe(200)
  expect((await globex().get('/api-keys')).text).not.toContain(apiKey.id)
  expect((await acme().delete('/api-keys/ak_00000000000000000000000000')).status).toBe(404)
})

test('the free plan holds five keys; a revoked one makes room, and a race takes no sixth', async () => {
  const { harness, stop } = await startHarness({ env: { DEFAULT_TIER: 'free' } })
  try {
    const free = harness.acme
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => free.post('/api-keys', { name: `Till ${n}` })),
    )
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(4)
    const refused = answers.find((answer) => answer.status !== 201)
    expect(refusalOf(refused)).toEqual({ status: 403, code: 'LIMIT_REACHED', param: 'apiKeys' })
    const made = answers.find((answer) => answer.status === 201)?.data.apiKey.id
    await free.delete(`/api-keys/${made}`)
    expect((await free.post('/api-keys', { name: 'Room' })).status).toBe(201)
    expect((await free.post('/api-keys', { name: 'Full' })).status).toBe(403)
  } finally {
    await stop()
  }
})
