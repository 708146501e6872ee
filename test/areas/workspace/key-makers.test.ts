import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { statementsOf } from '../../../src/platform/db/migrate.ts'
import type { Answer, Api } from '../../support/api.ts'
import { enableModule, openShop } from '../../support/build.ts'
import { memberOf } from '../../support/clients.ts'
import { refusalOf } from '../../support/expect.ts'
import { acme, alongside, as, deps, globex, useService, workspace } from '../../support/service.ts'

useService()

const keyBy = async (api: Api, name: string) => {
  const made = await api.post('/api-keys', { name })
  expect(made.status).toBe(201)
  return { id: made.data.apiKey.id as string, key: made.data.key as string, record: made.data.apiKey }
}
const listed = async (api: Api, id: string) =>
  (await api.get('/api-keys')).data.apiKeys.find((row: { id: string }) => row.id === id)
const namesOf = (gone: Answer) => gone.data.apiKeys.map((row: { name: string }) => row.name)

test('a key shows its end, its maker, and the start that every key has', async () => {
  const owner = await memberOf(acme(), 'OWNER', 'Sari')
  const { id, key, record } = await keyBy(owner.api, 'Till')
  expect(record).toMatchObject({
    prefix: 'kasir_sk_',
    last4: key.slice(-4),
    createdBy: owner.id,
    createdByName: 'Sari',
    creatorLeft: false,
  })
  expect(await listed(acme(), id)).toEqual(record)
  const second = await keyBy(as(key), 'By a key')
  expect(second.record).toMatchObject({ createdBy: id, createdByName: 'Till', creatorLeft: false })
})

test('a key from before its maker was kept has none', async () => {
  const { keyId } = acme().workspace
  expect(await listed(acme(), keyId)).toMatchObject({
    last4: null,
    createdBy: null,
    createdByName: null,
    creatorLeft: false,
  })
})

test('removing a member lists the keys they made, also through a key, and ends none of them', async () => {
  const fresh = await workspace()
  const [owner, other] = [await memberOf(fresh, 'OWNER', 'Sari'), await memberOf(fresh, 'OWNER', 'Budi')]
  const first = await keyBy(owner.api, 'First')
  const second = await keyBy(as(first.key), 'Second')
  const third = await keyBy(as(second.key), 'Third')
  await keyBy(other.api, 'Not theirs')
  await fresh.delete(`/api-keys/${second.id}`)
  const gone = await fresh.delete(`/members/${owner.id}`)
  expect([gone.status, gone.data.id, gone.data.deleted, namesOf(gone)]).toEqual([
    200,
    owner.id,
    true,
    ['Third', 'First'],
  ])
  expect(gone.data.apiKeys[1]).toMatchObject({ id: first.id, revokedAt: null, last4: first.key.slice(-4) })
  expect((await as(first.key).get('/outlets')).status).toBe(200)
  expect((await as(third.key).get('/outlets')).status).toBe(200)
  expect(await listed(fresh, first.id)).toMatchObject({ createdByName: 'Sari', creatorLeft: true })
})

test('a removal with revokeKeys is no retry of one without it: under the same Idempotency-Key it is 409', async () => {
  const fresh = await workspace()
  const owner = await memberOf(fresh, 'OWNER')
  await memberOf(fresh, 'OWNER')
  const first = await keyBy(owner.api, 'First')
  const remove = (query: string) =>
    fresh.delete(`/members/${owner.id}${query}`, { idempotencyKey: 'removal' })
  expect((await remove('')).status).toBe(200)
  const refused = { status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' }
  expect(refusalOf(await remove('?revokeKeys=true'))).toMatchObject(refused)
  expect((await remove('')).headers.get('idempotent-replayed')).toBe('true')
  expect((await as(first.key).get('/outlets')).status).toBe(200)
})

test.each([
  ['in the body', '', { revokeKeys: true }],
  ['in the query', '?revokeKeys=true', undefined],
])('revokeKeys %s ends those keys with the member', async (_, query, body) => {
  const fresh = await workspace()
  const owner = await memberOf(fresh, 'OWNER')
  await memberOf(fresh, 'OWNER')
  const first = await keyBy(owner.api, 'First')
  const second = await keyBy(as(first.key), 'Second')
  const gone = await fresh.raw(
    'DELETE',
    `/members/${owner.id}${query}`,
    body && JSON.stringify(body),
    body ? { 'content-type': 'application/json' } : {},
  )
  expect([gone.status, namesOf(gone)]).toEqual([200, ['Second', 'First']])
  for (const row of gone.data.apiKeys) expect(row.revokedAt).toEqual(expect.any(String))
  for (const { key } of [first, second]) expect((await as(key).get('/outlets')).status).toBe(401)
  expect((await fresh.get('/outlets')).status).toBe(200)
})

test('of a member who makes keys while being removed with them, by hand and by key, none is left', async () => {
  for (let round = 0; round < 5; round += 1) {
    const fresh = await workspace()
    const owner = await memberOf(fresh, 'OWNER')
    await memberOf(fresh, 'OWNER')
    const first = await keyBy(owner.api, 'First')
    const making = Array.from({ length: 12 }, (_, n) =>
      (n % 2 === 0 ? owner.api : as(first.key)).post('/api-keys', { name: `K${n}` }),
    )
    const gone = await fresh.delete(`/members/${owner.id}?revokeKeys=true`)
    expect(gone.status).toBe(200)
    for (const made of await Promise.all(making)) expect([201, 401]).toContain(made.status)
    const { apiKeys } = (await fresh.get('/api-keys')).data
    const live = apiKeys.filter((row: { revokedAt: string | null }) => row.revokedAt === null)
    expect(live.map((row: { name: string }) => row.name)).toEqual(['Workspace till'])
  }
})

const roleOf = async (api: Api) => (await api.get('/auth/me')).data.user.role
const demote = (api: Api, id: string, body: object = {}) =>
  api.patch(`/members/${id}`, { role: 'MANAGER', ...body })

test('a key acts with the present role of the member who made it, also through a key of theirs', async () => {
  const fresh = await workspace()
  const [owner] = [await memberOf(fresh, 'OWNER'), await memberOf(fresh, 'OWNER')]
  const [first, other] = [await keyBy(owner.api, 'First'), await keyBy(fresh, 'Not theirs')]
  const second = await keyBy(as(first.key), 'Second')
  for (const role of ['MANAGER', 'CASHIER', 'OWNER', 'CASHIER']) {
    expect((await fresh.patch(`/members/${owner.id}`, { role })).status).toBe(200)
    for (const { key } of [first, second]) {
      expect(await roleOf(as(key))).toBe(role)
      const made = [
        await as(key).get('/api-keys'),
        await as(key).post('/api-keys', { name: 'More' }),
        await as(key).post('/outlets', { name: 'Kemang' }),
        await as(key).get('/outlets'),
      ]
      const [isOwner, isManager] = [role === 'OWNER', role !== 'CASHIER']
      expect(made.map(({ status }) => status)).toEqual([
        isOwner ? 200 : 403,
        isOwner ? 201 : 403,
        isManager ? 201 : 403,
        200,
      ])
    }
  }
  expect(await roleOf(as(other.key))).toBe('OWNER')
})

test('a key that another process has just let in acts with the new role from the next request on', async () => {
  const fresh = await workspace()
  const [owner] = [await memberOf(fresh, 'OWNER'), await memberOf(fresh, 'OWNER')]
  const shop = await openShop(fresh)
  await enableModule(fresh, 'payment')
  const { key } = await keyBy(owner.api, 'Till')
  const there = await alongside()
  try {
    const processes = [as(key), there.as(key)]
    const sale = { outletId: shop.outletId, items: [{ variantId: shop.latte, quantity: 1 }] }
    const use = async (api: Api) => [
      (await api.post('/sales', { ...sale, status: 'COMPLETED' })).status,
      (await api.get('/payments/overview')).status,
    ]
    for (const api of processes) expect(await use(api)).toEqual([201, 200])
    await demote(fresh, owner.id, { role: 'CASHIER' })
    for (const api of processes) expect(await use(api)).toEqual([201, 403])
    await demote(fresh, owner.id, { role: 'MANAGER' })
    for (const api of processes) expect(await use(api)).toEqual([201, 200])
  } finally {
    await there.stop()
  }
})

test('a member who stops being an owner leaves a list of their keys, and revokeKeys ends them', async () => {
  const fresh = await workspace()
  const [owner, other] = [await memberOf(fresh, 'OWNER', 'Sari'), await memberOf(fresh, 'OWNER', 'Budi')]
  await memberOf(fresh, 'OWNER')
  const first = await keyBy(owner.api, 'First')
  const second = await keyBy(as(first.key), 'Second')
  await keyBy(other.api, 'Not theirs')
  const demoted = await demote(fresh, owner.id)
  expect([demoted.status, demoted.data.member.role, namesOf(demoted)]).toEqual([
    200,
    'MANAGER',
    ['Second', 'First'],
  ])
  expect(demoted.data.apiKeys[1]).toMatchObject({ id: first.id, revokedAt: null, creatorLeft: false })
  expect((await as(second.key).get('/outlets')).status).toBe(200)
  // A retry without a key, or a second thought, finds them again.
  const revoked = await demote(fresh, owner.id, { revokeKeys: true })
  expect([revoked.status, namesOf(revoked)]).toEqual([200, ['Second', 'First']])
  for (const row of revoked.data.apiKeys) expect(row.revokedAt).toEqual(expect.any(String))
  for (const { key } of [first, second]) expect((await as(key).get('/outlets')).status).toBe(401)
  expect((await demote(fresh, other.id, { name: 'Budi S' })).data.apiKeys).toHaveLength(1)
  expect((await fresh.patch(`/members/${other.id}`, { name: 'Budi' })).data.apiKeys).toBeUndefined()
  expect((await fresh.patch(`/members/${other.id}`, { role: 'OWNER' })).data.apiKeys).toBeUndefined()
})

test('revokeKeys in the query ends the keys of a demoted member; without a lower role it is refused', async () => {
  const fresh = await workspace()
  const [owner] = [await memberOf(fresh, 'OWNER'), await memberOf(fresh, 'OWNER')]
  const { key } = await keyBy(owner.api, 'First')
  for (const body of [{ revokeKeys: true }, { revokeKeys: true, role: 'OWNER' }])
    expect(refusalOf(await fresh.patch(`/members/${owner.id}`, body))).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      param: 'revokeKeys',
    })
  expect((await as(key).get('/outlets')).status).toBe(200)
  const path = `/members/${owner.id}?revokeKeys=true`
  expect(namesOf(await fresh.patch(path, { role: 'CASHIER' }))).toEqual(['First'])
  expect((await as(key).get('/outlets')).status).toBe(401)
})

test('a key keeps the last role of a member who left', async () => {
  const fresh = await workspace()
  const [owner] = [await memberOf(fresh, 'OWNER'), await memberOf(fresh, 'OWNER')]
  const { key } = await keyBy(owner.api, 'First')
  await demote(fresh, owner.id)
  expect(namesOf(await fresh.delete(`/members/${owner.id}`))).toEqual(['First'])
  expect(await roleOf(as(key))).toBe('MANAGER')
})

test('of a member who makes keys while being demoted, by hand and by key, none acts as owner', async () => {
  for (let round = 0; round < 5; round += 1) {
    const fresh = await workspace()
    const owner = await memberOf(fresh, 'OWNER')
    await memberOf(fresh, 'OWNER')
    const first = await keyBy(owner.api, 'First')
    const making = Array.from({ length: 12 }, (_, n) =>
      (n % 2 === 0 ? owner.api : as(first.key)).post('/api-keys', { name: `K${n}` }),
    )
    expect((await demote(fresh, owner.id)).status).toBe(200)
    const made = await Promise.all(making)
    for (const { status, data } of made) {
      expect([201, 403]).toContain(status)
      if (status === 201) expect(await roleOf(as(data.key))).toBe('MANAGER')
    }
  }
})

test('keys of members who had been demoted before get their role with the migration', async () => {
  const fresh = await workspace()
  const owner = await memberOf(fresh, 'OWNER')
  const first = await keyBy(owner.api, 'First')
  const second = await keyBy(as(first.key), 'Second')
  const third = await keyBy(as(second.key), 'Third')
  const { db, pool } = deps()
  await db.updateTable('members').set({ role: 'CASHIER' }).where('id', '=', owner.id).execute()
  const file = await readFile(new URL('../../../migrations/0096_key_roles.sql', import.meta.url), 'utf8')
  for (const statement of statementsOf(file).slice(2)) await pool.query(statement)
  for (const { key } of [first, second, third]) expect(await roleOf(as(key))).toBe('CASHIER')
  expect(await roleOf(fresh)).toBe('OWNER')
})

test.each([{ revokeKeys: 'yes' }, { revokeKeys: null }])('DELETE /members/{id} refuses %j', async (body) => {
  const { id } = await memberOf(acme(), 'CASHIER')
  const refused = await acme().raw('DELETE', `/members/${id}`, JSON.stringify(body), {
    'content-type': 'application/json',
  })
  expect(refusalOf(refused)).toMatchObject({ status: 400, param: 'revokeKeys' })
  const query = await acme().delete(`/members/${id}?revokeKeys=yes`)
  expect(refusalOf(query)).toMatchObject({ status: 400, param: 'revokeKeys' })
  const rows = await deps().db.selectFrom('members').select('id').where('id', '=', id).execute()
  expect(rows).toHaveLength(1)
  expect((await globex().delete(`/members/${id}?revokeKeys=true`)).status).toBe(404)
})
