import { createHmac, generateKeyPairSync, KeyObject, randomBytes, sign } from 'node:crypto'
import { exportJWK } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../../../src/core/ids.ts'
import { manualClock } from '../../../../src/platform/clock.ts'
import { memberOf } from '../../../support/clients.ts'
import { refusalOf } from '../../../support/expect.ts'
import {
  AUDIENCE,
  claimsFor,
  ISSUER,
  type ProviderKey,
  signedBy,
  startProvider,
} from '../../../support/provider.ts'
import { acme, address, as, deps, globex, useService } from '../../../support/service.ts'

const provider = await startProvider()
const clock = manualClock('2026-11-22T03:00:00.000Z')
useService({ env: provider.env, clock })

let rsa: ProviderKey
let member: { accountId: string; id: string }
let stranger: { accountId: string; id: string }

beforeAll(async () => {
  rsa = await provider.newKey('rsa-1', 'RS256')
  await provider.newKey('ec-1', 'ES256')
  await provider.newKey('ed-1', 'EdDSA')
  member = { accountId: acme().workspace.accountId, id: (await memberOf(acme(), 'MANAGER', 'Ani')).id }
  stranger = { accountId: globex().workspace.accountId, id: (await memberOf(globex(), 'OWNER')).id }
})
// Past the pause between two looks at the provider's keys.
beforeEach(() => clock.advance(61_000))
afterAll(() => provider.stop())

const nowSeconds = () => Math.floor(clock.ms() / 1000)
const good = (more: Record<string, unknown> = {}, header: Record<string, unknown> = {}, key = rsa) =>
  signedBy(key, claimsFor(member, clock.ms(), more), header)
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64url')
/** A token of exactly these texts, signed by the provider's own RSA key. */
const written = (header: string, claims: string, digest = 'sha256') => {
  const said = `${base64(header)}.${base64(claims)}`
  return `${said}.${base64(sign(digest, Buffer.from(said), KeyObject.from(rsa.privateKey)))}`
}
const claimsText = (more: Record<string, unknown> = {}) => JSON.stringify(claimsFor(member, clock.ms(), more))
const headerText = (more: Record<string, unknown> = {}) =>
  JSON.stringify({ alg: 'RS256', kid: 'rsa-1', typ: 'JWT', ...more })
const unsigned = (alg: unknown, signature: string) =>
  `${base64(headerText({ alg }))}.${base64(claimsText())}.${signature}`
const hmac = (secret: string | Buffer) => {
  const said = `${base64(headerText({ alg: 'HS256' }))}.${base64(claimsText())}`
  return `${said}.${base64(createHmac('sha256', secret).update(said).digest())}`
}
const ask = (token: string, path = '/auth/me', scheme = 'Bearer') =>
  as(null).get(path, { headers: { authorization: `${scheme} ${token}` } })

/** Somebody else's key pair, for tokens that bring their own. */
const forger = async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    privateKey: privateKey as never,
    jwk: await exportJWK(publicKey),
    kid: 'rsa-1',
    alg: 'RS256' as const,
  }
}

const BAD: Record<string, () => Promise<string> | string> = {
  'alg none': () => unsigned('none', base64('x')),
  'alg None': () => unsigned('None', base64('x')),
  'alg nOnE': () => unsigned('nOnE', base64('x')),
  'no alg': () => unsigned(undefined, base64('x')),
  'alg none without a signature': () => unsigned('none', ''),
  'an empty signature': async () => `${(await good()).split('.').slice(0, 2).join('.')}.`,
  'HS256 with the public key as its secret': () =>
    hmac(KeyObject.from(rsa.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString()),
  'HS256 with the published key as its secret': () => hmac(JSON.stringify(rsa.publicJwk)),
  'HS256 with no secret': () => hmac(''),
  'an algorithm of the same key that is not listed': () =>
    written(headerText({ alg: 'RS512' }), claimsText(), 'sha512'),
  'an unknown kid': () => good({}, { kid: 'rsa-9' }),
  'a kid that is a path': () => good({}, { kid: '../../../../dev/null' }),
  'a kid that is SQL': () => good({}, { kid: "' union select 'x" }),
  'a kid that is a URL': () => good({}, { kid: 'https://evil.example/jwks.json' }),
  'a kid that is no text': () => written(headerText({ kid: ['rsa-1'] }), claimsText()),
  'jku in the header': () => good({}, { jku: 'https://evil.example/jwks.json' }),
  'x5u in the header': () => good({}, { x5u: 'https://evil.example/cert.pem' }),
  'x5c in the header': () => good({}, { x5c: ['MIIB'] }),
  'jwk in the header': () => good({}, { jwk: rsa.publicJwk }),
  'a key of its own in the header': async () => {
    const { privateKey, jwk, kid, alg } = await forger()
    return signedBy({ privateKey, kid, alg }, claimsFor(member, clock.ms()), { jwk })
  },
  "another key under the provider's kid": async () => {
    const { privateKey, kid, alg } = await forger()
    return signedBy({ privateKey, kid, alg }, claimsFor(member, clock.ms()))
  },
  'a key that the provider keeps to itself': async () =>
    good({}, {}, await provider.newKey('rsa-hidden', 'RS256', false)),
  'crit that nobody knows': () => written(headerText({ crit: ['exp2'], exp2: 1 }), claimsText()),
  'an unencoded payload': () => written(headerText({ crit: ['b64'], b64: false }), claimsText()),
  'another issuer': () => good({ iss: 'https://evil.example' }),
  'an issuer with a slash more': () => good({ iss: `${ISSUER}/` }),
  'no issuer': () => good({ iss: undefined }),
  'no audience': () => good({ aud: undefined }),
  'another audience': () => good({ aud: 'https://other.example.test' }),
  'a list of audiences without us': () => good({ aud: ['https://other.example.test', `${AUDIENCE}/`] }),
  'an end 61 s ago': () => good({ exp: nowSeconds() - 61 }),
  'no end': () => good({ exp: undefined }),
  'an end in words': () => good({ exp: 'never' }),
  'an end of 1e400': () => written(headerText(), claimsText({ exp: 1 }).replace('"exp":1', '"exp":1e400')),
  'a beginning in the future': () => good({ nbf: nowSeconds() + 120 }),
  'made an hour from now': () => good({ iat: nowSeconds() + 3_600, exp: nowSeconds() + 7_200 }),
  'made at no instant': () => written(headerText(), claimsText({ iat: 1 }).replace('"iat":1', '"iat":1e400')),
  'the type of an ID token': () => good({}, { typ: 'id_token+jwt' }),
  'the type of a logout token': () => good({}, { typ: 'logout+jwt' }),
  'the type of a delegation token': () => good({}, { typ: 'delegation+jwt' }),
  'an ID token': () => good({ at_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' }),
  'an ID token of Keycloak': () => good({ typ: 'ID' }),
  'no member': () => good({ sub: undefined }),
  'a member that is no text': () => good({ sub: 7 }),
  'an unknown member': () => good({ sub: newId('member') }),
  'no workspace': () => good({ account_id: undefined }),
  'a workspace that is none': () => good({ account_id: "acc_' or 1=1" }),
  "a member of another workspace under one's own": () => good({ sub: stranger.id }),
  'a workspace the member is none of': () => good({ account_id: stranger.accountId }),
  'altered claims': async () => {
    const [header, , signature] = (await good()).split('.')
    return `${header}.${base64(claimsText({ sub: stranger.id, account_id: stranger.accountId }))}.${signature}`
  },
  'four parts': async () => `${await good()}.x`,
  'two parts': async () => (await good()).split('.').slice(0, 2).join('.'),
  padding: async () => `${await good()}==`,
  'a blank inside': async () => (await good()).replace('.', '. '),
  'a token of 12 kB': () => good({ padding: 'x'.repeat(9_000) }),
  'an ES256 signature of zeros': async () => {
    const token = await good({}, { kid: 'ec-1', alg: 'ES256' }, provider.keys[1])
    return `${token.split('.').slice(0, 2).join('.')}.${base64(Buffer.alloc(64))}`
  },
  'a claim that comes twice': () =>
    written(headerText(), claimsText().replace('{', `{"sub":"${stranger.id}",`)),
  'a header that comes twice': () => written(headerText().replace('{', '{"alg":"none",'), claimsText()),
  'claims that are a list': () => written(headerText(), '[]'),
  'claims that are no JSON': () => written(headerText(), 'sub=me'),
  'claims a thousand lists deep': () =>
    written(headerText(), `{"x":${'['.repeat(3_500)}${']'.repeat(3_500)}}`),
  'a header that is no JSON': () => `${base64('x')}.${base64(claimsText())}.${base64(randomBytes(256))}`,
}

test.each(Object.entries(BAD))('a JWT with %s is 401, as if nothing had been sent', async (_, make) => {
  const nothing = await as(null).get('/auth/me')
  const refused = await ask(await make())
  expect([refused.status, refused.error]).toEqual([401, nothing.error])
  expect(nothing.error.code).toBe('AUTH_REQUIRED')
})

test('a JWT of 100 kB is refused before anybody reads it', async () => {
  const answer = await fetch(`${address()}/api/v1/auth/me`, {
    headers: { authorization: `Bearer ${await good({ padding: 'x'.repeat(75_000) })}` },
  })
  const { error } = (await answer.json()) as { error: { code: string } }
  expect([answer.status, error.code]).toEqual([431, 'VALIDATION_ERROR'])
})

const GOOD: Record<string, () => Promise<string>> = {
  RS256: () => good(),
  ES256: () => good({}, {}, provider.keys[1]),
  EdDSA: () => good({}, {}, provider.keys[2]),
  'a list of audiences with us among them': () => good({ aud: ['https://other.example.test', AUDIENCE] }),
  'an end 30 s ago, by a clock that runs ahead of ours': () => good({ exp: nowSeconds() - 30 }),
  'a beginning in 30 s': () => good({ nbf: nowSeconds() + 30, iat: nowSeconds() + 30 }),
  'the type of an access token': () => good({}, { typ: 'at+jwt' }),
  'no type': () => good({}, { typ: undefined }),
  'an end between two seconds': () => good({ exp: nowSeconds() + 60.5 }),
  'names inside of names': () => good({ realm_access: { roles: ['a "quoted": role'] }, aud: [AUDIENCE] }),
}

test.each(Object.entries(GOOD))('a JWT with %s is the member it names', async (_, make) => {
  const answer = await ask(await make())
  expect([answer.status, answer.data?.user, answer.data?.credential]).toEqual([
    200,
    {
      id: member.id,
      email: `${member.id.toLowerCase()}@example.com`,
      name: 'Ani',
      role: 'MANAGER',
      emailVerifiedAt: null,
    },
    { type: 'jwt' },
  ])
})

test('a JWT acts with the role that its member has now, and in its own workspace only', async () => {
  const token = await good()
  const theirs = (await globex().post('/outlets', { name: 'Theirs' })).data.outlet.id
  const authorization = { headers: { authorization: `Bearer ${token}` } }
  const made = await as(null).post('/outlets', { name: 'Ours' }, authorization)
  expect([
    made.status,
    (await ask(token, '/outlets')).data.outlets.map((o: { name: string }) => o.name),
  ]).toEqual([201, ['Ours']])
  expect((await ask(token, `/outlets/${theirs}`)).status).toBe(404)
  const above = await as(null).post('/api-keys', { name: 'Till' }, authorization)
  expect(refusalOf(above)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  const { db } = deps()
  const setRole = (role: 'CASHIER' | 'MANAGER') =>
    db
      .updateTable('members')
      .set({ role })
      .where('accountId', '=', member.accountId)
      .where('id', '=', member.id)
      .execute()
  await setRole('CASHIER')
  const demoted = await as(null).post('/outlets', { name: 'More' }, authorization)
  await setRole('MANAGER')
  expect(refusalOf(demoted)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
})

test('a JWT of a member who was removed is 401 with the next request', async () => {
  const leaving = { accountId: member.accountId, id: (await memberOf(acme(), 'CASHIER')).id }
  const token = await signedBy(rsa, claimsFor(leaving, clock.ms()))
  expect((await ask(token)).status).toBe(200)
  expect((await acme().delete(`/members/${leaving.id}`)).status).toBe(200)
  expect((await ask(token)).status).toBe(401)
})

test('a JWT that was good is 401 once it ends, 60 s later by our clock', async () => {
  const token = await good({ exp: nowSeconds() + 10 })
  expect((await ask(token)).status).toBe(200)
  clock.advance(69_000)
  expect((await ask(token)).status).toBe(200)
  clock.advance(1_500)
  expect((await ask(token)).status).toBe(401)
})

test('a header decides over a cookie: a good JWT beside the cookie of another workspace is the member of the JWT', async () => {
  const other = await memberOf(globex(), 'OWNER')
  const both = { authorization: `Bearer ${await good()}`, cookie: other.cookie }
  expect((await as(null).get('/auth/me', { headers: both })).data.user.id).toBe(member.id)
  const wrong = { authorization: `Bearer ${await good({ aud: 'x' })}`, cookie: other.cookie }
  expect((await as(null).get('/auth/me', { headers: wrong })).status).toBe(401)
})

test('a JWT works under no other scheme, in no cookie and in no query', async () => {
  const token = await good()
  expect((await ask(token, '/auth/me', 'bearer')).status).toBe(200)
  for (const scheme of ['Basic', 'Delegation', 'JWT'])
    expect((await ask(token, '/auth/me', scheme)).status).toBe(401)
  expect((await as(null).get('/outlets', { headers: { cookie: `kasir_session=${token}` } })).status).toBe(401)
  expect((await as(null).get(`/outlets?access_token=${token}`)).status).toBe(401)
})

test('a JWT creates an API key while its auth_time is less than 15 minutes old, whenever it was issued', async () => {
  const owner = { accountId: acme().workspace.accountId, id: (await memberOf(acme(), 'OWNER')).id }
  const create = async (more: Record<string, unknown>) => {
    const token = await signedBy(rsa, claimsFor(owner, clock.ms(), more), {})
    return as(null).post('/api-keys', { name: 'Till' }, { headers: { authorization: `Bearer ${token}` } })
  }
  expect((await create({ auth_time: nowSeconds() - 14 * 60 })).status).toBe(201)
  const refused = { status: 403, code: 'FORBIDDEN', param: 'currentPassword' }
  const stale = [nowSeconds() - 15 * 60, nowSeconds() + 3_600, 'now', null, -1, undefined]
  for (const time of stale) expect(refusalOf(await create({ auth_time: time }))).toEqual(refused)
})
