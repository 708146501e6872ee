import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { type MutableResponse, type MutableToken, OAuth2Server } from 'oauth2-mock-server'
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { localPath } from '../../../../src/areas/workspace/auth/rules.ts'
import { ConfigError, readConfig } from '../../../../src/platform/config/config.ts'
import { carrying } from '../../../support/api.ts'
import { type Harness, startHarness } from '../../../support/service.ts'

const PUBLIC_URL = 'http://kasir.example.com'
const PASSWORD = 'nasi goreng pedas'
const CLIENT = 'kasir'

let provider: OAuth2Server
let harness: Harness
let stop: () => Promise<void>
/** What the provider says of whoever signs in, for this test. */
let claims: Record<string, unknown> = {}

const oidcEnv = (issuer: string) => ({
  PUBLIC_URL,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT,
  OIDC_CLIENT_SECRET: 'a secret of the client',
})

beforeAll(async () => {
  provider = new OAuth2Server()
  await provider.issuer.keys.generate('RS256')
  await provider.start(0, '127.0.0.1')
  provider.service.on('beforeTokenSigning', (token: MutableToken) => Object.assign(token.payload, claims))
  const started = await startHarness({ env: oidcEnv(provider.issuer.url ?? '') })
  harness = started.harness
  stop = started.stop
})
afterAll(async () => {
  await stop()
  await provider.stop()
})
afterEach(() => {
  provider.service.removeAllListeners('beforeResponse')
  provider.service.removeAllListeners('beforeUserinfo')
})

/** A browser that goes where it is sent, with the cookies it was given. */
function visitor(at: () => string = () => harness.address) {
  const jar = new Map<string, string>()
  const go = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url.replace(PUBLIC_URL, at()), {
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; '), ...headers },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s)
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const text = await answer.text()
    return {
      status: answer.status,
      location: answer.headers.get('location') ?? '',
      text,
      headers: answer.headers,
    }
  }
  const start = (returnTo = '/sales?tab=open') =>
    go(`${PUBLIC_URL}/api/v1/auth/oidc/start?returnTo=${encodeURIComponent(returnTo)}`)
  /** Through the provider's page to the address it sends the browser back to, which is not gone to yet. */
  const authorize = async (returnTo?: string) => {
    const begun = await start(returnTo)
    expect([begun.status, begun.text]).toEqual([302, ''])
    return (await go(begun.location)).location
  }
  const signIn = async (returnTo?: string) => go(await authorize(returnTo))
  const me = () => go(`${PUBLIC_URL}/api/v1/auth/me`)
  return { jar, go, start, authorize, signIn, me }
}

let count = 0
/** A member of a workspace of their own with a confirmed address, or one that is not. */
async function member({ confirmed = true } = {}) {
  const email = `oidc${(count += 1)}@example.com`
  const answer = await harness.as(null).post('/auth/signup', { email, password: PASSWORD, name: 'Sri' })
  expect(answer.status).toBe(201)
  const { id } = answer.data.user
  if (confirmed) {
    const accountId = answer.data.account.id
    await harness.deps.db
      .updateTable('members')
      .set({ emailVerifiedAt: harness.deps.clock.now() })
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .execute()
  }
  claims = { email, email_verified: true, name: 'Sri' }
  return { email, id: id as string }
}
const errorOf = ({ text }: { text: string }) => JSON.parse(text).error
const refused = (answer: { status: number; text: string; headers: Headers }) => {
  expect(answer.headers.getSetCookie().filter((line) => /kasir_session=./.test(line))).toEqual([])
  return [answer.status, errorOf(answer).code]
}

beforeEach(() => {
  claims = {}
})

test('a member whose address both sides have seen confirmed is signed in, and led to where they were going', async () => {
  const { id, email } = await member()
  const browser = visitor()
  const begun = await browser.start()
  const asked = new URL(begun.location).searchParams
  expect(Object.fromEntries(asked)).toMatchObject({
    client_id: CLIENT,
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: `${PUBLIC_URL}/api/v1/auth/oidc/callback`,
    code_challenge_method: 'S256',
  })
  for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)?.length).toBe(43)
  const [cookie = ''] = begun.headers.getSetCookie()
  expect(cookie).toMatch(/^kasir_oidc=.+; Max-Age=600; Path=\/; .*HttpOnly; SameSite=Lax$/)
  const back = await browser.go((await browser.go(begun.location)).location)
  expect([back.status, back.location]).toEqual([302, '/sales?tab=open'])
  expect(JSON.parse((await browser.me()).text).data.user).toMatchObject({ id, email })
  expect(browser.jar.has('kasir_oidc')).toBe(false)
})

test('over https the cookie is bound to the host and sent encrypted only', async () => {
  const { harness: https, stop: end } = await startHarness({
    env: { ...oidcEnv(provider.issuer.url ?? ''), PUBLIC_URL: 'https://kasir.example.com' },
  })
  try {
    const answer = await fetch(`${https.address}/api/v1/auth/oidc/start`, { redirect: 'manual' })
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-kasir_oidc=.+; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('redirect_uri')).toBe(
      'https://kasir.example.com/api/v1/auth/oidc/callback',
    )
  } finally {
    await end()
  }
})

test('the session a browser had ends with the sign-in', async () => {
  await member()
  const browser = visitor()
  await browser.signIn()
  const before = browser.jar.get('kasir_session') ?? ''
  await browser.signIn()
  expect(browser.jar.get('kasir_session')).not.toBe(before)
  const old = visitor()
  old.jar.set('kasir_session', before)
  expect((await old.me()).status).toBe(401)
})

test('an address that only the provider names in its user info counts as well', async () => {
  const { email } = await member()
  claims = {}
  provider.service.once('beforeUserinfo', (response: MutableResponse) => {
    response.body = { sub: 'johndoe', email, email_verified: true }
  })
  expect((await visitor().signIn()).status).toBe(302)
})

test('user info of somebody else is refused', async () => {
  const { email } = await member()
  claims = {}
  provider.service.once('beforeUserinfo', (response: MutableResponse) => {
    response.body = { sub: 'mallory', email, email_verified: true }
  })
  expect(refused(await visitor().signIn())).toEqual([400, 'VALIDATION_ERROR'])
})

describe('a sign-in that did not begin in this browser', () => {
  test('has no cookie', async () => {
    await member()
    const url = await visitor().authorize()
    expect(refused(await visitor().go(url))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('has the cookie of another sign-in', async () => {
    await member()
    const [victim, attacker] = [visitor(), visitor()]
    await victim.start()
    expect(refused(await victim.go(await attacker.authorize()))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('has a cookie that was bent or made up', async () => {
    await member()
    const browser = visitor()
    const url = await browser.authorize()
    const good = browser.jar.get('kasir_oidc') ?? ''
    const [body = '', mark = ''] = good.split('.')
    const attempt = JSON.parse(Buffer.from(body, 'base64url').toString())
    const bent = Buffer.from(JSON.stringify({ ...attempt, returnTo: 'https://evil.example' })).toString(
      'base64url',
    )
    for (const value of [
      `${bent}.${mark}`,
      `${body}.`,
      body,
      `${body}.${'A'.repeat(43)}`,
      `${good}.x`,
      '.',
      'x',
    ]) {
      browser.jar.set('kasir_oidc', value)
      expect(refused(await browser.go(url))).toEqual([400, 'VALIDATION_ERROR'])
    }
  })
})

test('a state is good once, also for whoever copied the cookie, and for one of many at once', async () => {
  await member()
  const browser = visitor()
  const url = await browser.authorize()
  const cookie = browser.jar.get('kasir_oidc') ?? ''
  const copies = Array.from({ length: 5 }, () => {
    const copy = visitor()
    copy.jar.set('kasir_oidc', cookie)
    return copy
  })
  const answers = await Promise.all(copies.map((copy) => copy.go(url)))
  expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400, 400, 400])
})

test('a state of one browser does not go with the code of another', async () => {
  await member()
  const [victim, attacker] = [visitor(), visitor()]
  const own = new URL(await victim.authorize())
  own.searchParams.set('code', new URL(await attacker.authorize()).searchParams.get('code') ?? '')
  // The provider finds that the code was asked for with another PKCE challenge.
  expect(refused(await victim.go(own.href))).toEqual([400, 'VALIDATION_ERROR'])
})

test('a code that was used is refused with a fresh state too', async () => {
  await member()
  const browser = visitor()
  const used = await browser.authorize()
  expect((await browser.go(used)).status).toBe(302)
  const fresh = new URL(await browser.authorize())
  fresh.searchParams.set('code', new URL(used).searchParams.get('code') ?? '')
  expect(refused(await browser.go(fresh.href))).toEqual([400, 'VALIDATION_ERROR'])
})

test.each([
  ['without a state', (url: URL) => url.searchParams.delete('state')],
  ['with another state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
  ['with two states', (url: URL) => url.searchParams.append('state', 'x')],
  ['without a code', (url: URL) => url.searchParams.delete('code')],
  ['with two codes', (url: URL) => url.searchParams.append('code', 'x')],
  ['from another issuer (RFC 9207)', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
])('coming back %s is 400', async (_, bend) => {
  await member()
  const browser = visitor()
  const url = new URL(await browser.authorize())
  bend(url)
  expect(refused(await browser.go(url.href))).toEqual([400, 'VALIDATION_ERROR'])
})

/** ID tokens that prove nobody. */
const FORGED: Record<string, Record<string, unknown>> = {
  'another nonce': { nonce: 'x'.repeat(43) },
  'no nonce': { nonce: undefined },
  'another issuer': { iss: 'https://evil.example' },
  'an issuer with a slash more': { iss: 'slash' },
  'no issuer': { iss: undefined },
  'another audience': { aud: 'another client' },
  'two audiences and another party': { aud: [CLIENT, 'other'], azp: 'other' },
  'a time long past': { exp: 1_600_000_000 },
  'no end': { exp: undefined },
  'an issue in the future': { iat: 4_000_000_000 },
  nobody: { sub: undefined },
}
test.each(Object.entries(FORGED))('an ID token with %s is refused', async (name, bent) => {
  const { email } = await member()
  claims = { email, email_verified: true, ...bent }
  if (name === 'an issuer with a slash more') claims['iss'] = `${provider.issuer.url}/`
  expect(refused(await visitor().signIn())).toEqual([400, 'VALIDATION_ERROR'])
})

const bodyOf = (response: MutableResponse) => response.body as { id_token: string }
const payloadOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

test.each(['unsigned', 'signed by another key', 'altered', 'signed with the secret of the client', 'absent'])(
  'an ID token that is %s is refused',
  async (how) => {
    await member()
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    const kid = provider.issuer.keys.toJSON()[0]?.kid ?? ''
    expect((await exportJWK(publicKey)).kty).toBe('RSA')
    let forged: string | undefined
    const browser = visitor()
    const begun = await browser.start()
    const nonce = new URL(begun.location).searchParams.get('nonce') ?? ''
    const now = Math.floor(Date.now() / 1000)
    const payload = {
      ...claims,
      iss: provider.issuer.url ?? '',
      aud: CLIENT,
      sub: 'johndoe',
      nonce,
      iat: now,
      exp: now + 300,
    }
    if (how === 'unsigned') forged = new UnsecuredJWT(payload).encode()
    if (how === 'signed by another key')
      forged = await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
    if (how === 'signed with the secret of the client')
      forged = await new SignJWT(payload)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from('a secret of the client'))
    provider.service.once('beforeResponse', (response: MutableResponse) => {
      const body = bodyOf(response)
      if (how === 'absent') delete (body as { id_token?: string }).id_token
      else if (forged !== undefined) body.id_token = forged
      else {
        const [head, , mark] = body.id_token.split('.')
        const bent = { ...payloadOf(body.id_token), sub: 'mallory' }
        body.id_token = [head, Buffer.from(JSON.stringify(bent)).toString('base64url'), mark].join('.')
      }
    })
    const back = (await browser.go(begun.location)).location
    expect(refused(await browser.go(back))).toEqual([400, 'VALIDATION_ERROR'])
  },
)

test.each([
  ['that is not verified', { email_verified: false }],
  ['of which nothing is said', { email_verified: undefined }],
  ['that is verified in words only', { email_verified: 'true' }],
  ['that is none', { email: 'no address' }],
  ['that is a list', { email: ['a@example.com'] }],
])('an address %s at the provider joins nobody', async (_, bent) => {
  const { email } = await member()
  claims = { email, email_verified: true, ...bent }
  expect(refused(await visitor().signIn())).toEqual([403, 'FORBIDDEN'])
})

test('an address that was never confirmed here joins nobody, and the answer says what to do', async () => {
  await member({ confirmed: false })
  const answer = await visitor().signIn()
  expect(refused(answer)).toEqual([403, 'FORBIDDEN'])
  expect(errorOf(answer).message).toBe(
    'This address is not confirmed here yet; sign in with your password and follow the link of the mail that confirms it',
  )
})

test('an address that only looks like that of a member without its case joins nobody', async () => {
  const { email } = await member()
  claims = { email: email.replace('oidc', 'OIDC'), email_verified: true }
  expect((await visitor().signIn()).status).toBe(302)
  const [local = ''] = email.split('@')
  const wanted = `k${local}@example.com`
  const answer = await harness.as(null).post('/auth/signup', { email: wanted, password: PASSWORD })
  expect(answer.status).toBe(201)
  const { deps } = harness
  await deps.db
    .updateTable('members')
    .set({ emailVerifiedAt: deps.clock.now() })
    .where('accountId', '=', answer.data.account.id)
    .where('id', '=', answer.data.user.id)
    .execute()
  claims = { email: wanted.replace('k', '\u212a'), email_verified: true }
  expect(refused(await visitor().signIn())).toEqual([403, 'FORBIDDEN'])
})

test('a key that the provider began to sign with is fetched, once the last look at its keys is a minute old', async () => {
  await member()
  expect((await visitor().signIn()).status).toBe(302)
  const elsewhere = new OAuth2Server()
  const { kid } = await provider.issuer.keys.add(
    await elsewhere.issuer.keys.generate('RS256', { kid: 'the next one' }),
  )
  let used: unknown
  provider.service.once('beforeResponse', (response: MutableResponse) => {
    used = decodeProtectedHeader(bodyOf(response).id_token).kid
  })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  try {
    expect((await visitor().signIn()).status).toBe(302)
    expect(used).toBe(kid)
  } finally {
    vi.useRealTimers()
  }
})

test('a provider that hangs is 503 by its deadline, is asked once for many visitors, and not again at once', async () => {
  const asked: string[] = []
  const silent = createServer(({ url = '' }) => asked.push(url))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const { harness: lost, stop: end } = await startHarness({ env: oidcEnv(issuer) })
  try {
    const browser = visitor(() => lost.address)
    const many = await Promise.all(Array.from({ length: 20 }, () => browser.start()))
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([503]))
    expect((await browser.start()).status).toBe(503)
    expect(asked).toEqual(['/.well-known/openid-configuration'])
  } finally {
    await end()
    silent.closeAllConnections()
    silent.close()
  }
})

describe('a member with a second factor', () => {
  /** Signs in with the password, to set it up; the row that makes the demand is what the route writes. */
  async function guarded() {
    const { email } = await member()
    const signedIn = await harness.as(null).post('/auth/login', { email, password: PASSWORD })
    const api = browser(signedIn.headers.getSetCookie()[0]?.split(';', 1)[0])
    const { secret } = (await api.post('/auth/second-factor', { currentPassword: PASSWORD })).data
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    const { recoveryCodes } = (await api.post('/auth/second-factor/confirm', { code })).data
    return { email, code: recoveryCodes[0] as string }
  }
  const browser = (cookie = '') => carrying(harness.as(null), { cookie })

  test('is not signed in by the provider alone, but led to the second step and then to where they were going', async () => {
    const { code } = await guarded()
    const visit = visitor()
    const back = await visit.signIn('/sales?tab=open')
    expect([back.status, visit.jar.has('kasir_session')]).toEqual([302, false])
    const [page, fragment = ''] = back.location.split('#')
    const told = new URLSearchParams(fragment)
    expect([page, told.get('returnTo')]).toEqual(['/second-factor', '/sales?tab=open'])
    const challenge = told.get('challenge')
    const done = await harness.as(null).post('/auth/login/second-factor', { challenge, code })
    expect(done.status).toBe(200)
    const started = await harness.deps.db
      .selectFrom('events')
      .select('body')
      .where('type', '=', 'audit.session.started.v1')
      .where('refId', '=', done.data.user.id)
      .orderBy('id', 'desc')
      .execute()
    expect(started.map(({ body }) => JSON.parse(body).data.by)).toEqual(['PROVIDER', 'PASSWORD', 'SIGN_UP'])
  })

  test.each([
    [['pwd', 'mfa'], '/', true],
    [['pwd'], '/second-factor', false],
    ['mfa', '/second-factor', false],
    [undefined, '/second-factor', false],
  ])('whose provider says amr %j is led to %s', async (amr, page, isIn) => {
    const { email } = await guarded()
    claims = { email, email_verified: true, amr }
    const visit = visitor()
    const back = await visit.signIn('/')
    expect([back.location.split('#')[0], visit.jar.has('kasir_session')]).toEqual([page, isIn])
  })
})

test('whoever was invited follows the invitation first', async () => {
  const email = 'diundang@example.com'
  await harness.acme.post('/members', { email, name: 'Tamu', role: 'CASHIER' })
  claims = { email, email_verified: true }
  expect(refused(await visitor().signIn())).toEqual([403, 'FORBIDDEN'])
})

test('a stranger opens a workspace where anybody may, with a confirmed address and no password', async () => {
  claims = { email: 'baru@example.com', email_verified: true, name: 'Baru\n<b>' }
  const browser = visitor()
  expect((await browser.signIn()).status).toBe(302)
  expect(JSON.parse((await browser.me()).text).data).toMatchObject({
    user: { email: 'baru@example.com', name: 'Baru <b>', role: 'OWNER' },
    account: { businessName: 'Baru <b>' },
  })
  const guess = await harness.as(null).post('/auth/login', { email: 'baru@example.com', password: PASSWORD })
  expect(guess.status).toBe(401)
  expect((await visitor().signIn()).status).toBe(302)
})

test('a stranger is refused where SIGNUP lets nobody open a workspace', async () => {
  const { harness: closed, stop: end } = await startHarness({
    env: { ...oidcEnv(provider.issuer.url ?? ''), SIGNUP: 'closed' },
  })
  try {
    claims = { email: 'asing@example.com', email_verified: true }
    const answer = await visitor(() => closed.address).signIn()
    expect(refused(answer)).toEqual([403, 'FORBIDDEN'])
    expect(errorOf(answer).message).toBe(
      'New workspaces cannot be opened here; ask an owner for an invitation',
    )
  } finally {
    await end()
  }
})

const LEAVING = [
  'https://evil.example',
  'http:evil.example',
  'https:/evil.example',
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '\t//evil.example',
  '/\n/evil.example',
  '/\r\n//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/x/..//evil.example',
  '/%2e//evil.example',
  '@evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '',
  'evil.example',
  '/\u2028/evil.example',
  `/${'x'.repeat(500)}`,
]
test.each(LEAVING)('returnTo %j leads nowhere else: 400', async (returnTo) => {
  const answer = await visitor().start(returnTo)
  expect([answer.status, errorOf(answer).param]).toEqual([400, 'returnTo'])
})

test.each([
  ['/', '/'],
  ['/sales?tab=open#last', '/sales?tab=open#last'],
  ['/%09/evil.example', '/%09/evil.example'],
  ['/a/../b', '/b'],
  ['/https://evil.example', '/https://evil.example'],
  ['/@evil.example', '/@evil.example'],
])('returnTo %s stays here as %s', (text, path) => {
  expect(localPath(text)).toBe(path)
  expect(new URL(path, PUBLIC_URL).origin).toBe(PUBLIC_URL)
})

test('what the provider says of a refusal is shown as text', async () => {
  const browser = visitor()
  const url = new URL(await browser.authorize())
  url.searchParams.delete('code')
  url.searchParams.set('error', 'access_denied')
  url.searchParams.set('error_description', '<script>alert(1)</script>\r\nSet-Cookie: a=b')
  const page = await browser.go(url.href, { accept: 'text/html,*/*' })
  expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
  expect(page.text).toContain('access_denied, &lt;script&gt;alert(1)&lt;/script&gt; Set-Cookie: a=b')
  expect(page.text).not.toContain('<script>')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.getSetCookie().join()).not.toContain('a=b')
})

test('where no provider is configured both routes are 404, and the options say so', async () => {
  const { harness: without, stop: end } = await startHarness({})
  try {
    expect((await without.as(null).get('/auth/options')).data).toEqual({ provider: false })
    expect((await harness.as(null).get('/auth/options')).data).toEqual({ provider: true })
    const browser = visitor(() => without.address)
    expect((await browser.start()).status).toBe(404)
    expect((await browser.go(`${PUBLIC_URL}/api/v1/auth/oidc/callback?code=x&state=y`)).status).toBe(404)
  } finally {
    await end()
  }
})

test('a provider that is down, or answers nonsense, is 503 and says so', async () => {
  let answer: { status: number; body: string } = { status: 500, body: 'broken' }
  const broken: Server = createServer((_, reply) => reply.writeHead(answer.status).end(answer.body))
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`
  try {
    for (answer of [
      answer,
      { status: 200, body: '<html>' },
      { status: 200, body: JSON.stringify({ issuer, more: 'x'.repeat(300 * 1024) }) },
      { status: 302, body: '' },
      { status: 200, body: '{"issuer":"https://evil.example"}' },
    ]) {
      const { harness: lost, stop: end } = await startHarness({ env: oidcEnv(issuer) })
      try {
        const got = await visitor(() => lost.address).start()
        expect([got.status, errorOf(got).code, got.headers.get('retry-after')]).toEqual([
          503,
          'SERVICE_UNAVAILABLE',
          '60',
        ])
        expect(errorOf(got).message).toBe('The sign-in provider does not answer; try again in a minute')
      } finally {
        await end()
      }
    }
  } finally {
    broken.close()
  }
})

test('a provider that goes down between start and return is 503, one that refuses this client too', async () => {
  await member()
  for (const [statusCode, body] of [
    [502, {}],
    [401, { error: 'invalid_client' }],
  ] as const) {
    provider.service.once('beforeResponse', (response: MutableResponse) => {
      Object.assign(response, { statusCode, body })
    })
    expect(refused(await visitor().signIn())).toEqual([503, 'SERVICE_UNAVAILABLE'])
  }
  provider.service.once('beforeResponse', (response: MutableResponse) => {
    Object.assign(response, { statusCode: 400, body: { error: 'invalid_grant' } })
  })
  expect(refused(await visitor().signIn())).toEqual([400, 'VALIDATION_ERROR'])
})

test('half of the settings stops the start and says which are missing', () => {
  const faults = (env: Record<string, string>) => {
    try {
      readConfig(env)
      return ''
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError)
      return (error as Error).message
    }
  }
  const whole = oidcEnv('https://id.example')
  expect(faults(whole)).toBe('')
  expect(faults({ ...whole, OIDC_CLIENT_SECRET: '' })).toBe('')
  expect(faults({ ...whole, OIDC_CLIENT_ID: '' })).toContain('OIDC_CLIENT_ID must be set too')
  expect(faults({ ...whole, OIDC_ISSUER: '' })).toContain('OIDC_ISSUER must be set too')
  expect(faults({ ...whole, PUBLIC_URL: '' })).toBe(
    'PUBLIC_URL must be set too: the provider at OIDC_ISSUER sends browsers back to it',
  )
  expect(faults({ ...whole, OIDC_ISSUER: 'id.example' })).toContain('OIDC_ISSUER must be')
})
