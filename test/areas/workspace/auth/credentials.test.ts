import { expect, test } from 'vitest'
import { newKey } from '../../../../src/platform/auth/tokens.ts'
import { browser, memberOf } from '../../../support/clients.ts'
import { refusalOf } from '../../../support/expect.ts'
import { acme, address, as, deps, globex, startHarness, useService } from '../../../support/service.ts'

useService({ env: { CORS_ORIGINS: 'https://app.example.com' } })

const me = (headers: Record<string, string>, path = '/auth/me') => as(null).get(path, { headers })

test('/auth/me says whose the API key is, and 401 without a credential', async () => {
  const { accountId, keyId, key } = acme().workspace
  const answer = await me({ authorization: `Bearer ${key}` })
  expect(answer.data).toEqual({
    user: { id: keyId, email: null, name: 'Acme till', role: 'OWNER', emailVerifiedAt: null },
    account: { id: accountId, businessName: 'Acme', businessType: 'GENERAL', effectiveTier: 'business' },
    credential: { type: 'apiKey' },
  })
  const none = await me({})
  expect([none.status, none.error.code, none.data]).toEqual([401, 'AUTH_REQUIRED', null])
})

test('a scheme is read in any case and with any spaces after it', async () => {
  const { key } = acme().workspace
  for (const authorization of [`bearer ${key}`, `BEARER ${key}`, `Bearer   ${key}`]) {
    expect((await me({ authorization }, '/outlets')).status).toBe(200)
  }
})

test('what only looks like a credential is refused, and never with more than 401', async () => {
  const { key, accountId } = acme().workspace
  const { cookie } = await memberOf(acme(), 'OWNER')
  const token = cookie.split('=')[1] ?? ''
  const foreign = globex().workspace
  const headers: Record<string, string>[] = [
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: key },
    { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
    { authorization: `Basic ${key}` },
    { authorization: `Delegation ${key}` },
    { authorization: `Bearer, ${key}` },
    { authorization: `Bearer ${key} ${key}` },
    { authorization: `Bearer ${key}x` },
    { authorization: `Bearer ${key.slice(0, -1)}` },
    { authorization: `Bearer ${key.toUpperCase()}` },
    { authorization: `Bearer ${newKey(accountId)}` },
    { authorization: `Bearer ${key.replace(accountId.slice(4), foreign.accountId.slice(4))}` },
    { authorization: `Bearer kasir_sk_${'0'.repeat(26)}_${'A'.repeat(43)}` },
    { authorization: `Bearer kasir_sk_' or 1=1 --` },
    { authorization: `Bearer ${token}` },
    { authorization: `Bearer ${'x'.repeat(8_000)}` },
    { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3JfMSJ9.' },
    { 'x-api-key': key },
    { cookie: `kasir_session=${key}` },
    { cookie: `kasir_session=${token}x` },
    { cookie: `kasir_session=${foreign.accountId.slice(4)}.${token.split('.')[1]}` },
    { cookie: `__Host-kasir_session=${token}` },
    { cookie: `Kasir_Session=${token}` },
    { cookie: 'kasir_session=' },
  ]
  for (const sent of headers) {
    for (const path of ['/outlets', '/auth/me']) {
      const refused = await me(sent, path)
      expect([refused.status, refused.error?.code, sent]).toEqual([401, 'AUTH_REQUIRED', sent])
    }
  }
})

test('a key in the address is no credential', async () => {
  const { key } = acme().workspace
  for (const name of ['key', 'api_key', 'apiKey', 'access_token', 'token', 'authorization']) {
    expect((await me({}, `/outlets?${name}=${key}`)).status).toBe(401)
  }
})

test('of two credentials the Authorization header alone decides, right or wrong', async () => {
  const { cookie } = await memberOf(acme(), 'OWNER')
  const both = await me({ authorization: `Bearer ${globex().workspace.key}`, cookie })
  expect(both.data.account.id).toBe(globex().workspace.accountId)
  const wrong = await me({ authorization: 'Bearer kasir_sk_wrong', cookie })
  expect(wrong.status).toBe(401)
})

test('a body that is not JSON is refused after 401 and 403', async () => {
  const json = { 'content-type': 'application/json' }
  const cashier = (await memberOf(acme(), 'CASHIER')).api
  expect((await as(null).raw('POST', '/outlets', '{', json)).status).toBe(401)
  expect((await cashier.raw('POST', '/outlets', '{', json)).status).toBe(403)
  expect((await cashier.raw('POST', '/outlets', 'a=1', { 'content-type': 'text/plain' })).status).toBe(403)
  expect((await acme().raw('POST', '/outlets', '{', json)).status).toBe(400)
})

const OWN = 'own'
const SITES: [origin: string | undefined, site: string | undefined, allowed: boolean][] = [
  [undefined, undefined, true],
  [OWN, undefined, true],
  [OWN, 'same-origin', true],
  [OWN, 'same-site', true],
  [undefined, 'same-origin', true],
  [undefined, 'none', true],
  ['https://app.example.com', undefined, true],
  ['https://app.example.com', 'cross-site', true],
  [undefined, 'cross-site', false],
  [OWN, 'cross-site', false],
  ['https://evil.example', undefined, false],
  ['https://evil.example', 'same-origin', false],
  ['http://app.example.com', undefined, false],
  ['https://app.example.com.evil.example', undefined, false],
  ['http://127.0.0.1', undefined, false],
  ['http://127.0.0.1:1', undefined, false],
  ['null', undefined, false],
  ['', undefined, false],
]

test.each(SITES)(
  'a write with a cookie, Origin %s and Sec-Fetch-Site %s: allowed %s',
  async (from, site, ok) => {
    const { api, cookie } = await memberOf(acme(), 'OWNER')
    const headers = {
      ...(from === undefined ? {} : { origin: from === OWN ? address() : from }),
      ...(site === undefined ? {} : { 'sec-fetch-site': site }),
    }
    const answers = [
      await api.post('/outlets', { name: 'Site' }, { headers }),
      await api.put('/settings', {}, { headers }),
      await api.delete('/outlets/out_1', { headers }),
    ]
    expect(answers.map((answer) => answer.status)).toEqual(ok ? [201, 200, 404] : [403, 403, 403])
    // Reading shows a stranger's page nothing it could see, and a key is never sent by a browser on its own.
    expect((await api.get('/outlets', { headers })).status).toBe(200)
    expect((await acme().put('/settings', {}, { headers })).status).toBe(200)
    // Signing in, up and out are writes of the browser too, with or without a session.
    const session = [
      await as(null).post('/auth/login', { email: 'a@b.co', password: 'x' }, { headers }),
      await as(null).post('/auth/signup', {}, { headers }),
      await as(null).post('/auth/invitations/accept', {}, { headers }),
      await as(null).post('/auth/logout', undefined, { headers }),
    ]
    expect(session.map((answer) => answer.status)).toEqual(ok ? [401, 400, 400, 200] : [403, 403, 403, 403])
    if (!ok) expect((await browser(cookie).get('/auth/me')).status).toBe(200)
    await deps().db.deleteFrom('loginFailures').execute()
  },
)

test('behind a proxy the public address is our own site, and over https plain http is another', async () => {
  const { harness, stop } = await startHarness({ env: { PUBLIC_URL: 'https://kasir.example.com' } })
  try {
    const logOut = async (origin: string) =>
      (await harness.as(null).post('/auth/logout', undefined, { headers: { origin } })).status
    expect(await logOut('https://kasir.example.com')).toBe(200)
    expect(await logOut('http://kasir.example.com')).toBe(403)
    expect(await logOut(harness.address)).toBe(403)
    expect(await logOut(harness.address.replace('http:', 'https:'))).toBe(200)
  } finally {
    await stop()
  }
})

test('each credential has a budget of its own, shown in headers; beyond it is 429 with Retry-After', async () => {
  const { harness, stop } = await startHarness({ env: { RATE_LIMIT_PER_MINUTE: '50' } })
  try {
    const { acme, globex, as } = harness
    const first = await acme.get('/outlets')
    expect([
      first.status,
      first.headers.get('ratelimit-limit'),
      first.headers.get('ratelimit-remaining'),
    ]).toEqual([200, '50', '4'])
    const statuses = await Promise.all(Array.from({ length: 12 }, () => acme.get('/outlets')))
    const refused = statuses.filter((answer) => answer.status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(6)
    expect(refused[0]?.error.code).toBe('RATE_LIMITED')
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await globex.get('/outlets')).status).toBe(200)
    // Guessed keys spend the budget of their address, and leave that of real keys alone.
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => as(newKey(acme.workspace.accountId)).get('/outlets')),
    )
    const codes = guesses.map((answer) => answer.status)
    expect(new Set(codes)).toEqual(new Set([401, 429]))
    expect(codes.filter((status) => status === 429).length).toBeGreaterThanOrEqual(6)
    expect((await globex.get('/outlets')).status).toBe(200)
  } finally {
    await stop()
  }
})

test('RATE_LIMIT_PER_MINUTE=0 switches off the general limit and not the one on guessing', async () => {
  const reads = await Promise.all(Array.from({ length: 400 }, () => acme().get('/auth/me')))
  expect(new Set(reads.map((answer) => answer.status))).toEqual(new Set([200]))
  for (let n = 0; n < 10; n += 1) {
    await as(null).post('/auth/login', { email: 'guess@example.com', password: `guess ${n}` })
  }
  const blocked = await as(null).post('/auth/login', { email: 'guess@example.com', password: 'guess' })
  expect(refusalOf(blocked)).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
})
