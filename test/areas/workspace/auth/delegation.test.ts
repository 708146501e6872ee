import { type JWTPayload, SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../../../src/core/ids.ts'
import { mintDelegation } from '../../../../src/platform/auth/delegation.ts'
import { manualClock } from '../../../../src/platform/clock.ts'
import { delegateOf, memberOf, withAuthorization } from '../../../support/clients.ts'
import { refusalOf } from '../../../support/expect.ts'
import { acme, address, alongside, as, deps, globex, useService } from '../../../support/service.ts'

const clock = manualClock('2026-11-22T03:00:00.000Z')
useService({ clock, live: { pingMs: 300, recheckMs: 100 } })

let owner: { id: string }
beforeAll(async () => {
  owner = await memberOf(acme(), 'OWNER', 'Ibu Sari')
})

const nowSeconds = () => Math.floor(clock.ms() / 1000)
const PURPOSE = 'delegation'
const claims = (more: Record<string, unknown> = {}): JWTPayload => {
  const all = {
    sub: owner.id,
    account_id: acme().workspace.accountId,
    mode: 'act',
    jti: newId('delegation'),
    iat: nowSeconds(),
    exp: nowSeconds() + 600,
    ...more,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}
/** Signed with the installation's own key, so that a refusal is about what the token says. */
const own = (more: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
  new SignJWT(claims(more))
    .setProtectedHeader({ alg: 'EdDSA', kid: deps().secrets.keyId, typ: 'delegation+jwt', ...header })
    .sign(deps().secrets.signingKey(PURPOSE))
const ask = (token: string, scheme = 'Delegation') => withAuthorization(`${scheme} ${token}`).get('/auth/me')

test('a delegation token is its member, and says which run of which mode it is', async () => {
  const { api } = await delegateOf(acme(), owner.id, 'review', 'night shift "42"')
  const answer = await api.get('/auth/me')
  expect([answer.status, answer.data.user.id, answer.data.user.role, answer.data.credential]).toEqual([
    200,
    owner.id,
    'OWNER',
    { type: 'delegation', mode: 'review', run: 'night shift "42"' },
  ])
  expect((await ask(await own(), 'delegation')).status).toBe(200)
})

test('every process of the installation knows the token', async () => {
  const { token } = await delegateOf(acme(), owner.id, 'act')
  const other = await alongside()
  try {
    const answer = await fetch(`${other.address}/api/v1/outlets`, {
      headers: { authorization: `Delegation ${token}` },
    })
    expect(answer.status).toBe(200)
  } finally {
    await other.stop()
  }
})

const BAD: Record<string, () => Promise<string> | string> = {
  'a life of 15 minutes and a second': () => own({ exp: nowSeconds() + 901 }),
  'an end now': () => own({ exp: nowSeconds() }),
  'no end': () => own({ exp: undefined }),
  'no beginning': () => own({ iat: undefined }),
  'a beginning two minutes ahead': () => own({ iat: nowSeconds() + 120 }),
  'no mode': () => own({ mode: undefined }),
  'another mode': () => own({ mode: 'admin' }),
  'no id': () => own({ jti: undefined }),
  'no member': () => own({ sub: undefined }),
  'an unknown member': () => own({ sub: newId('member') }),
  'no workspace': () => own({ account_id: undefined }),
  'the workspace of others': () => own({ account_id: globex().workspace.accountId }),
  'a run of two lines': () => own({ run: 'a\nb' }),
  'a run of 201 characters': () => own({ run: 'x'.repeat(201) }),
  'the type of another token': () => own({}, { typ: 'JWT' }),
  'no type': () => own({}, { typ: undefined }),
  'the key of another purpose': () =>
    new SignJWT(claims())
      .setProtectedHeader({ alg: 'EdDSA', kid: deps().secrets.keyId, typ: 'delegation+jwt' })
      .sign(deps().secrets.signingKey('something else')),
  'no signature': async () => `${(await own()).split('.').slice(0, 2).join('.')}.x`,
  'altered claims': async () => {
    const [header, , signature] = (await own()).split('.')
    return `${header}.${Buffer.from(JSON.stringify(claims({ mode: 'act' }))).toString('base64url')}.${signature}`
  },
  'an API key': () => acme().workspace.key,
}

test.each(Object.entries(BAD))('a delegation token with %s is 401', async (_, make) => {
  const answer = await ask(await make())
  expect(refusalOf(answer)).toMatchObject({ status: 401, code: 'AUTH_REQUIRED' })
})

test('a delegation token is 401 as a bearer, also while it is known, and in a cookie', async () => {
  const { token } = await delegateOf(acme(), owner.id, 'act')
  expect((await ask(token)).status).toBe(200)
  expect((await ask(token, 'Bearer')).status).toBe(401)
  const cookie = await as(null).get('/auth/me', { headers: { cookie: `kasir_session=${token}` } })
  expect([cookie.status, (await ask(token)).status]).toEqual([401, 200])
})

test('a delegation token ends when it says so, to the second', async () => {
  const { accountId } = acme().workspace
  const order = { accountId, memberId: owner.id, mode: 'act', minutes: 1 } as const
  clock.advance(1_000 - (clock.ms() % 1_000))
  const { token, expiresAt } = await mintDelegation(deps(), order, clock.now())
  expect(Date.parse(expiresAt) - clock.ms()).toBe(60_000)
  clock.advance(59_000)
  expect((await ask(token)).status).toBe(200)
  clock.advance(1_000)
  expect((await ask(token)).status).toBe(401)
})

test('a member who is removed takes the assistant along with the next request', async () => {
  const leaving = await memberOf(acme(), 'MANAGER')
  const { api } = await delegateOf(acme(), leaving.id, 'act')
  expect((await api.get('/outlets')).status).toBe(200)
  expect((await acme().delete(`/members/${leaving.id}`)).status).toBe(200)
  expect((await api.get('/outlets')).status).toBe(401)
})

test('an assistant may nothing that its member may not', async () => {
  const cashier = await memberOf(acme(), 'CASHIER')
  const { api } = await delegateOf(acme(), cashier.id, 'act')
  expect((await api.post('/customers', { name: 'Pak Budi' })).status).toBe(201)
  const answer = await api.post('/outlets', { name: 'Second' })
  expect(refusalOf(answer)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
})

test('an assistant sees the workspace of its member only', async () => {
  const theirs = (await globex().post('/outlets', { name: 'Theirs' })).data.outlet.id
  const { api } = await delegateOf(acme(), owner.id, 'act')
  expect((await api.get(`/outlets/${theirs}`)).status).toBe(404)
  expect((await api.patch(`/outlets/${theirs}`, { name: 'Mine' })).status).toBe(404)
  const names = (await api.get('/outlets')).data.outlets.map((outlet: { name: string }) => outlet.name)
  expect(names).not.toContain('Theirs')
})

test('an assistant changes the settings, but not where customers send their money', async () => {
  await acme().put('/settings', { transferBankName: 'BCA', transferBankAccountNumber: '123-456' })
  const { api } = await delegateOf(acme(), owner.id, 'act')
  const { settings } = (await api.get('/settings')).data
  for (const [key, value] of Object.entries({
    transferBankName: 'BRI',
    transferBankAccountNumber: '999',
    transferBankAccountHolder: 'Mallory',
  })) {
    const refused = await api.put('/settings', { businessName: 'Changed', [key]: value })
    expect([refused.status, refused.error]).toEqual([
      403,
      expect.objectContaining({ code: 'FORBIDDEN', param: key }),
    ])
  }
  expect((await api.put('/settings', { transferBankName: null })).status).toBe(403)
  expect((await acme().get('/settings')).data.settings).toEqual(settings)
  const sentBack = await api.put('/settings', { ...settings, businessName: 'Kopi Sari' })
  expect([
    sentBack.status,
    sentBack.data?.settings.businessName,
    sentBack.data?.settings.transferBankName,
  ]).toEqual([200, 'Kopi Sari', 'BCA'])
})

test('an assistant sees the end of a gift card code, and the card whose code it names', async () => {
  const { code } = (await acme().post('/gift-cards', { amount: 50_000 })).data.giftCard
  const { api } = await delegateOf(acme(), owner.id, 'review')
  const listed = await api.get('/gift-cards')
  expect([listed.data[0].code, listed.text.includes(code)]).toEqual([`****${code.slice(-4)}`, false])
  expect((await api.get(`/gift-cards/${code}`)).data.giftCard.code).toBe(code)
})

test('a write that is sent again changes nothing more and leaves no second audit event', async () => {
  const { api, id } = await delegateOf(acme(), owner.id, 'act', null)
  const sent = () => api.post('/categories', { name: 'Sent twice' }, { idempotencyKey: 'delegate-1' })
  const [first, second] = [await sent(), await sent()]
  expect([second.text.includes(first.data.category.id), second.headers.get('idempotent-replayed')]).toEqual([
    true,
    'true',
  ])
  const told = await deps().db.selectFrom('events').select('body').where('refId', '=', id).execute()
  expect(told.map(({ body }) => JSON.parse(body).data)).toEqual([
    {
      actor: { kind: 'member', id: owner.id, delegation: { mode: 'act', id, run: null } },
      operation: 'categories.create',
      method: 'POST',
      path: '/api/v1/categories',
      status: 201,
      requestId: first.meta.requestId,
      records: [first.data.category.id],
    },
  ])
})

test('an outlet that an assistant deleted names the assistant in its own audit event', async () => {
  const { api, id } = await delegateOf(acme(), owner.id, 'act')
  const outletId = (await api.post('/outlets', { name: 'Short lived' })).data.outlet.id
  expect((await api.delete(`/outlets/${outletId}`)).status).toBe(200)
  const rows = await deps().db.selectFrom('events').select('body').where('refId', '=', outletId).execute()
  expect(rows.map(({ body }) => JSON.parse(body).data.actor)).toEqual([
    { kind: 'member', id: owner.id, delegation: { mode: 'act', id, run: 'run-1' } },
  ])
})

test('a live stream ends with the token that opened it', async () => {
  const { token } = await delegateOf(acme(), owner.id, 'review')
  const { body } = await fetch(`${address()}/api/v1/events/stream`, {
    headers: { authorization: `Delegation ${token}` },
  })
  clock.advance(15 * 60_000)
  const chunks: string[] = []
  for await (const chunk of body as ReadableStream<Uint8Array>) chunks.push(new TextDecoder().decode(chunk))
  expect(chunks[0]).toBe('retry: 3000\n\n')
})
