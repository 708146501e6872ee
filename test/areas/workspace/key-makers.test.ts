import { expect, test } from 'vitest'
import type { Answer, Api } from '../../support/api.ts'
import { memberOf } from '../../support/clients.ts'
import { refusalOf } from '../../support/expect.ts'
import { acme, as, deps, globex, useService, workspace } from '../../support/service.ts'

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
