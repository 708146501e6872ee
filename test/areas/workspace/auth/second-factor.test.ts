import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { manualClock } from '../../../../src/platform/clock.ts'
import type { AccountId } from '../../../../src/platform/scope.ts'
import type { Answer, Api } from '../../../support/api.ts'
import { browser, cookieOf, delegateOf, memberOf, ownerOf } from '../../../support/clients.ts'
import { refusalOf } from '../../../support/expect.ts'
import { mailsTo } from '../../../support/mails.ts'
import { acme, alongside, as, deps, useService, workspace } from '../../../support/service.ts'

const clock = manualClock('2026-05-01T01:00:00.000Z')
useService({ clock, env: { TRUST_PROXY: '1', PUBLIC_URL: 'http://kasir.example.com' } })

const STEP = 30_000
const MINUTE = 60_000
const PASSWORD = 'nasi goreng pedas'
let network = 0
const elsewhere = () => {
  network += 1
  return { 'x-forwarded-for': `198.51.${Math.floor(network / 250)}.${(network % 250) + 1}` }
}

/** What the authenticator app shows, `steps` half minutes from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.ms() + steps * STEP })
const otherThan = (code: string) => String((Number(code) + 500_000) % 1_000_000).padStart(6, '0')

let count = 0
async function person() {
  const email = `faktor${(count += 1)}@example.com`
  const answer = await as(null).post('/auth/signup', { email, password: PASSWORD, name: 'Sri' })
  expect(answer.status).toBe(201)
  return { email, id: answer.data.user.id as string, api: browser(cookieOf(answer)), answer }
}

/** Switches the second factor on; the code of the moment is used then, so time goes on by one step. */
async function switchOn(api: Api, body: object = { currentPassword: PASSWORD }) {
  const begun = await api.post('/auth/second-factor', body)
  expect([begun.status, begun.error]).toEqual([201, null])
  const secret = begun.data.secret as string
  const confirmed = await api.post('/auth/second-factor/confirm', { code: codeOf(secret) })
  expect([confirmed.status, confirmed.error]).toEqual([200, null])
  clock.advance(STEP)
  const recoveryCodes = confirmed.data.recoveryCodes as string[]
  return { secret, recoveryCodes, api: browser(cookieOf(confirmed)), confirmed, begun }
}
async function guarded() {
  const someone = await person()
  return { ...someone, ...(await switchOn(someone.api)) }
}

const logIn = (email: string, password = PASSWORD) =>
  as(null).post('/auth/login', { email, password }, { headers: elsewhere() })
const challengeOf = async (email: string, password?: string): Promise<string> => {
  const answer = await logIn(email, password)
  expect([answer.status, answer.error.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
  return answer.error.details.challenge
}
const finish = (challenge: string, code: string, api: Api = as(null), headers = {}) =>
  api.post('/auth/login/second-factor', { challenge, code }, { headers })
const statusOf = async (api: Api) => (await api.get('/auth/second-factor')).data.secondFactor

const subjectsTo = async (email: string): Promise<string[]> =>
  (await mailsTo(email)).map((mail) => /^Subject: (.*)\r$/m.exec(mail)?.[1] ?? '')

test('with a second factor, signing in takes a password and a code, and no cookie is sent before both', async () => {
  const { email, id, secret, begun } = await guarded()
  expect(begun.data.url).toBe(
    `otpauth://totp/Kasir:${encodeURIComponent(email)}?issuer=Kasir&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  )
  const first = await logIn(email)
  expect([first.status, first.error]).toEqual([
    401,
    {
      code: 'SECOND_FACTOR_REQUIRED',
      message: 'Now enter the code that your authenticator app shows',
      details: {
        challenge: expect.any(String),
        expiresAt: new Date(clock.ms() + 5 * MINUTE).toISOString(),
      },
    },
  ])
  expect(first.headers.getSetCookie()).toEqual([])
  const { challenge } = first.error.details
  expect((await browser(`kasir_session=${challenge}`).get('/auth/me')).status).toBe(401)
  const second = await finish(challenge, codeOf(secret))
  expect([second.status, second.data.user.id]).toEqual([200, id])
  expect((await browser(cookieOf(second)).get('/outlets')).status).toBe(200)
})

test('nothing changes before a code was confirmed, and a secret that is asked for again replaces the first', async () => {
  const { email, api } = await person()
  const [one, two] = [
    await api.post('/auth/second-factor', { currentPassword: PASSWORD }),
    await api.post('/auth/second-factor', { currentPassword: PASSWORD }),
  ]
  expect((await logIn(email)).status).toBe(200)
  expect(await statusOf(api)).toEqual({
    enabled: false,
    enabledAt: null,
    recoveryCodesLeft: 0,
    required: false,
  })
  const confirm = (code: string) => api.post('/auth/second-factor/confirm', { code })
  const refused = { status: 422, code: 'VALIDATION_ERROR', param: 'code' }
  expect(refusalOf(await confirm(codeOf(one.data.secret)))).toEqual(refused)
  expect(refusalOf(await confirm(otherThan(codeOf(two.data.secret))))).toEqual(refused)
  expect((await confirm(codeOf(two.data.secret))).status).toBe(200)
})

test('switching it on ends every other session, tells the member by mail, and cannot be done twice', async () => {
  const { email, api } = await person()
  const other = browser(cookieOf(await logIn(email)))
  const { api: after, recoveryCodes } = await switchOn(api)
  expect(recoveryCodes).toHaveLength(10)
  expect(new Set(recoveryCodes).size).toBe(10)
  for (const code of recoveryCodes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  expect((await other.get('/auth/sessions')).status).toBe(401)
  expect((await api.get('/auth/sessions')).status).toBe(401)
  expect(await statusOf(after)).toMatchObject({ enabled: true, recoveryCodesLeft: 10 })
  expect(await subjectsTo(email)).toContain('Sri: A second factor was switched on')
  const again = await after.post('/auth/second-factor', { currentPassword: PASSWORD })
  expect(refusalOf(again)).toEqual({ status: 409, code: 'CONFLICT' })
  expect(refusalOf(await after.post('/auth/second-factor/confirm', { code: '123456' }))).toEqual({
    status: 409,
    code: 'CONFLICT',
  })
})

test('setting it up takes the password, or of a member without one a sign-in of the last quarter of an hour', async () => {
  const { api } = await person()
  const refused = { status: 422, code: 'VALIDATION_ERROR', param: 'currentPassword' }
  expect(refusalOf(await api.post('/auth/second-factor', {}))).toEqual(refused)
  expect(refusalOf(await api.post('/auth/second-factor', { currentPassword: 'es teh manis' }))).toEqual(
    refused,
  )
  const { api: without } = await memberOf(acme(), 'MANAGER')
  expect((await without.post('/auth/second-factor', {})).status).toBe(201)
  clock.advance(15 * MINUTE + 1)
  expect(refusalOf(await without.post('/auth/second-factor', {}))).toEqual({ status: 403, code: 'FORBIDDEN' })
  expect((await acme().get('/auth/second-factor')).status).toBe(403)
  expect((await as(null).get('/auth/second-factor')).status).toBe(401)
})

describe('a code', () => {
  test('works once, in whatever process, and none before it works after it', async () => {
    const { email, secret } = await guarded()
    const challenge = await challengeOf(email)
    const other = await alongside()
    try {
      const refused = { status: 401, code: 'INVALID_CREDENTIALS' }
      // The code that switched it on was used by that.
      expect(refusalOf(await finish(challenge, codeOf(secret, -1)))).toEqual(refused)
      expect((await finish(challenge, codeOf(secret))).status).toBe(200)
      expect(refusalOf(await finish(challenge, codeOf(secret), other.as('')))).toEqual(refused)
      clock.advance(STEP)
      expect((await finish(challenge, codeOf(secret, 1), other.as(''))).status).toBe(200)
      expect(refusalOf(await finish(challenge, codeOf(secret)))).toEqual(refused)
    } finally {
      await other.stop()
    }
  })

  test.each([
    [-2, 401],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 401],
  ])('of a clock that differs by %i steps answers %i', async (steps, status) => {
    const { email, secret } = await guarded()
    clock.advance(5 * STEP)
    expect((await finish(await challengeOf(email), codeOf(secret, steps))).status).toBe(status)
  })

  test('of which fifty arrive at once at two processes signs in once', async () => {
    const { email, secret } = await guarded()
    const challenge = await challengeOf(email)
    const other = await alongside()
    try {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          finish(challenge, codeOf(secret), n % 2 === 0 ? as(null) : other.as('')),
        ),
      )
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toEqual([200])
      expect(statuses.every((status) => [200, 401, 429].includes(status))).toBe(true)
      expect(answers.filter((answer) => cookieOf(answer) !== undefined)).toHaveLength(1)
    } finally {
      await other.stop()
    }
  })

  test('is guessed ten times in a quarter of an hour, wherever from; a browser of the member goes on', async () => {
    const { email, secret, confirmed } = await guarded()
    const challenge = await challengeOf(email)
    const wrong = otherThan(codeOf(secret))
    const tried: Answer[] = []
    for (let n = 0; n < 11; n += 1) tried.push(await finish(challenge, wrong, as(null), elsewhere()))
    expect(tried.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), 429])
    expect(tried.at(-1)?.headers.get('retry-after')).toBe('900')
    expect((await finish(challenge, codeOf(secret), as(null), elsewhere())).status).toBe(429)
    const cookie = confirmed.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .find((pair) => pair?.startsWith('kasir_device='))
    expect((await finish(challenge, codeOf(secret), as(null), { cookie })).status).toBe(200)
  })

  test.each(['', '12345', '1234567', 'abcdef', '１２３４５６', 'x'.repeat(40), '-12345', '1e5000'])(
    'that is none (%j) is refused',
    async (code) => {
      const { status } = await finish('x.y', code)
      expect([400, 401]).toContain(status)
    },
  )

  test('of somebody else is wrong', async () => {
    const [mine, theirs] = [await guarded(), await guarded()]
    expect((await finish(await challengeOf(mine.email), codeOf(theirs.secret))).status).toBe(401)
    expect((await finish(await challengeOf(mine.email), theirs.recoveryCodes[0] ?? '')).status).toBe(401)
  })
})

describe('a recovery code', () => {
  test('signs in once, however it is written, and a mail says so', async () => {
    const { email, recoveryCodes } = await guarded()
    const [one = '', two = ''] = recoveryCodes
    const challenge = await challengeOf(email)
    const entered = await finish(challenge, one)
    expect(entered.status).toBe(200)
    expect((await finish(challenge, one)).status).toBe(401)
    const spelt = two.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    expect((await finish(challenge, spelt)).status).toBe(200)
    expect(await statusOf(browser(cookieOf(entered)))).toMatchObject({ recoveryCodesLeft: 8 })
    expect(
      (await subjectsTo(email)).filter((line) => line.endsWith('A recovery code was used')),
    ).toHaveLength(2)
  })

  test('signs in, and a mailed link sets a password, after the PINs of fifty members were announced', async () => {
    const { email, id, api, recoveryCodes } = await guarded()
    const { accountId } = await deps()
      .db.selectFrom('members')
      .select('accountId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const shop = { workspace: { accountId: accountId as AccountId, key: '', keyId: '' } }
    for (let n = 0; n < 50; n += 1) {
      const { id: cashier } = await memberOf(shop, 'CASHIER')
      expect((await api.patch(`/members/${cashier}`, { pin: String(5_000 + n) })).status).toBe(200)
    }
    expect((await finish(await challengeOf(email), recoveryCodes[0] ?? '')).status).toBe(200)
    const forgetful = `lupa-${email}`
    const added = { email: forgetful, name: 'Lupa', role: 'CASHIER', password: PASSWORD }
    const { member } = (await api.post('/members', added)).data
    await as(null).post('/auth/password/forgot', { email: forgetful }, { headers: elsewhere() })
    const [token] = (await mailsTo(forgetful)).flatMap((mail) => /password#(\S+)/.exec(mail)?.[1] ?? [])
    const password = 'gado gado siang'
    expect((await as(null).post('/auth/password/reset', { token, password })).status).toBe(200)
    expect((await api.patch(`/members/${member.id}`, { password: PASSWORD })).status).toBe(200)
    expect((await subjectsTo(forgetful)).filter((line) => line.endsWith('changed'))).toHaveLength(2)
    expect((await subjectsTo(email)).filter((line) => line.endsWith('was used'))).toHaveLength(1)
  })

  test('of a set that was replaced works no more', async () => {
    const { email, api, secret, recoveryCodes } = await guarded()
    const renew = (body: object) => api.post('/auth/second-factor/recovery-codes', body)
    const code = codeOf(secret)
    expect(refusalOf(await renew({ code }))).toMatchObject({ status: 422, param: 'currentPassword' })
    expect(refusalOf(await renew({ currentPassword: PASSWORD, code: otherThan(code) }))).toMatchObject({
      status: 422,
      param: 'code',
    })
    const renewed = await renew({ currentPassword: PASSWORD, code })
    expect([renewed.status, renewed.data.recoveryCodes.length]).toEqual([200, 10])
    const challenge = await challengeOf(email)
    expect((await finish(challenge, recoveryCodes[0] ?? '')).status).toBe(401)
    expect((await finish(challenge, renewed.data.recoveryCodes[0])).status).toBe(200)
  })
})

describe('a challenge', () => {
  test('ends after five minutes', async () => {
    const { email, secret } = await guarded()
    const challenge = await challengeOf(email)
    clock.advance(5 * MINUTE)
    expect(refusalOf(await finish(challenge, codeOf(secret)))).toEqual({
      status: 401,
      code: 'INVALID_CREDENTIALS',
    })
  })

  test('that was bent or made up is worth nothing', async () => {
    const [mine, theirs] = [await guarded(), await guarded()]
    const challenge = await challengeOf(mine.email)
    const [body = '', mark = ''] = challenge.split('.')
    const carried = JSON.parse(Buffer.from(body, 'base64url').toString()) as string[]
    const bent = (at: number, value: string) =>
      `${Buffer.from(JSON.stringify(carried.with(at, value))).toString('base64url')}.${mark}`
    const code = codeOf(theirs.secret)
    for (const made of [
      bent(1, theirs.id),
      bent(3, '2027-01-01T00:00:00.000Z'),
      body,
      `${body}.`,
      `${challenge}.x`,
      '.',
      'x.y',
    ]) {
      expect(refusalOf(await finish(made, code))).toEqual({ status: 401, code: 'INVALID_CREDENTIALS' })
    }
  })

  test('ends with the password it was given for, and a new password by mail asks for the code as well', async () => {
    const { email, secret } = await guarded()
    const challenge = await challengeOf(email)
    expect((await as(null).post('/auth/password/forgot', { email }, { headers: elsewhere() })).status).toBe(
      202,
    )
    const token = (await mailsTo(email))
      .map((mail) => /password#(\S+)/.exec(mail.replaceAll('=\r\n', ''))?.[1])
      .find((found) => found !== undefined)
    const password = 'gado gado siang'
    const reset = await as(null).post('/auth/password/reset', { token, password })
    expect([reset.status, cookieOf(reset)]).toEqual([200, undefined])
    expect((await finish(challenge, codeOf(secret))).status).toBe(401)
    expect((await finish(await challengeOf(email, password), codeOf(secret))).status).toBe(200)
  })
})

describe('switching it off', () => {
  test.each(['code', 'recovery code'])('takes the password and a %s', async (kind) => {
    const { email, api, secret, recoveryCodes } = await guarded()
    const off = (body: object) => api.post('/auth/second-factor/off', body)
    const code = kind === 'code' ? codeOf(secret) : (recoveryCodes[0] ?? '')
    expect(refusalOf(await off({ code, currentPassword: 'es teh manis' }))).toMatchObject({
      status: 422,
      param: 'currentPassword',
    })
    expect(refusalOf(await off({ code: otherThan('1'), currentPassword: PASSWORD }))).toMatchObject({
      status: 422,
      param: 'code',
    })
    const done = await off({ code, currentPassword: PASSWORD })
    expect([done.status, done.data?.secondFactor.enabled]).toEqual([200, false])
    expect((await logIn(email)).status).toBe(200)
    expect((await subjectsTo(email)).at(-1)).toBe('Sri: Your second factor was switched off')
    expect(refusalOf(await off({ code, currentPassword: PASSWORD }))).toEqual({
      status: 409,
      code: 'CONFLICT',
    })
  })
})

describe('a workspace that requires one', () => {
  test('lets its owners and managers do nothing else before they have one, and cashiers and keys as ever', async () => {
    const key = await workspace('Toko Aman')
    const [owner, manager, cashier] = [
      await memberOf(key, 'OWNER'),
      await memberOf(key, 'MANAGER'),
      await memberOf(key, 'CASHIER'),
    ]
    const required = (secondFactorRequired: boolean) => ({ secondFactorRequired })
    const byOwnerOnly = { status: 403, code: 'FORBIDDEN', param: 'secondFactorRequired' }
    const assistant = await delegateOf(key, owner.id, 'act')
    for (const api of [manager.api, assistant.api]) {
      expect(refusalOf(await api.put('/settings', required(true)))).toEqual(byOwnerOnly)
      expect((await api.put('/settings', required(false))).status).toBe(200)
    }
    expect((await owner.api.put('/settings', required(true))).data.settings).toMatchObject(required(true))
    const refused = { status: 403, code: 'SECOND_FACTOR_NOT_SET_UP' }
    for (const api of [owner.api, manager.api]) {
      expect(refusalOf(await api.get('/outlets'))).toEqual(refused)
      expect(refusalOf(await api.put('/settings', required(false)))).toEqual(refused)
      expect((await api.get('/auth/me')).status).toBe(200)
      expect(await statusOf(api)).toMatchObject({ enabled: false, required: true })
    }
    expect(await statusOf(cashier.api)).toMatchObject({ required: false })
    expect((await cashier.api.get('/outlets')).status).toBe(200)
    expect((await key.get('/outlets')).status).toBe(200)

    const { api, secret } = await switchOn(manager.api, {})
    expect((await api.get('/outlets')).status).toBe(200)
    const off = await api.post('/auth/second-factor/off', { code: codeOf(secret) })
    expect(refusalOf(off)).toEqual({ status: 409, code: 'CONFLICT' })
    expect((await key.put('/settings', required(false))).status).toBe(200)
    expect((await owner.api.get('/outlets')).status).toBe(200)
    expect((await api.post('/auth/second-factor/off', { code: codeOf(secret) })).status).toBe(200)
    expect((await key.put('/settings', required(true))).status).toBe(200)
    expect(refusalOf(await api.get('/outlets'))).toEqual(refused)
  })

  test('counts the session that goes on after a new password as begun with it', async () => {
    const { api, secret, email } = await guarded()
    expect((await api.put('/settings', { secondFactorRequired: true })).status).toBe(200)
    const changed = await api.post('/auth/password', {
      currentPassword: PASSWORD,
      password: 'gado gado siang',
    })
    expect((await browser(cookieOf(changed)).get('/outlets')).status).toBe(200)
    const entered = await finish(await challengeOf(email, 'gado gado siang'), codeOf(secret))
    expect((await browser(cookieOf(entered)).get('/outlets')).status).toBe(200)
  })
})

describe('creating an API key', () => {
  const create = (api: Api, proof: object = {}) => api.post('/api-keys', { name: 'Till', ...proof })
  const refused = { status: 403, code: 'FORBIDDEN', param: 'currentPassword' }
  const left = async (api: Api) => (await api.get('/api-keys')).data.apiKeys.length

  test('takes no proof within 15 minutes of the sign-in, and the password after them', async () => {
    const { api } = await person()
    clock.advance(15 * MINUTE - 1)
    expect((await create(api)).status).toBe(201)
    clock.advance(1)
    expect(refusalOf(await create(api))).toEqual(refused)
    expect(refusalOf(await create(api, { currentPassword: 'es teh manis' }))).toEqual(refused)
    expect(await left(api)).toBe(1)
    expect((await create(api, { currentPassword: PASSWORD })).status).toBe(201)
    expect(await left(api)).toBe(2)
  })

  test('takes a code of the app or a recovery code, each once', async () => {
    const { api, secret, recoveryCodes } = await guarded()
    clock.advance(15 * MINUTE)
    const code = codeOf(secret)
    for (const proof of [{ code: otherThan(code) }, { code: 'not a code' }, {}])
      expect(refusalOf(await create(api, proof))).toEqual(refused)
    const twice = await Promise.all([create(api, { code }), create(api, { code })])
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 403])
    const [recoveryCode] = recoveryCodes
    expect((await create(api, { code: recoveryCode })).status).toBe(201)
    expect(refusalOf(await create(api, { code: recoveryCode }))).toEqual(refused)
    expect(await left(api)).toBe(2)
  })

  test('accepts no code of a member who has no second factor', async () => {
    const { api } = await person()
    clock.advance(15 * MINUTE)
    expect(refusalOf(await create(api, { code: '123456' }))).toEqual(refused)
  })

  test('ends for 15 minutes after ten wrong passwords, and after ten wrong codes', async () => {
    const { api, secret } = await guarded()
    clock.advance(15 * MINUTE)
    for (let n = 0; n < 10; n += 1) {
      expect((await create(api, { currentPassword: `guess ${n}` })).status).toBe(403)
      expect((await create(api, { code: otherThan(codeOf(secret)) })).status).toBe(403)
    }
    const late = [
      await create(api, { currentPassword: PASSWORD }),
      await create(api, { code: codeOf(secret) }),
    ]
    expect(late.map(({ status }) => status)).toEqual([429, 429])
    expect(late.map(({ headers }) => headers.get('retry-after'))).toEqual(['900', '900'])
  })

  test('answers a retry with its Idempotency-Key, whatever code the app shows by then', async () => {
    const { api, secret } = await guarded()
    clock.advance(15 * MINUTE)
    const retry = { idempotencyKey: 'one-key' }
    const first = await api.post('/api-keys', { name: 'Till', code: codeOf(secret) }, retry)
    clock.advance(STEP)
    const again = await api.post('/api-keys', { name: 'Till', code: codeOf(secret) }, retry)
    expect([first.status, again.status, again.data]).toEqual([201, 201, first.data])
    // The second code was not used up by the retry.
    expect((await create(api, { code: codeOf(secret) })).status).toBe(201)
  })

  test('by a key that an owner made takes no other proof', async () => {
    const { api } = await person()
    const { key } = (await create(api)).data
    clock.advance(15 * MINUTE)
    expect((await create(as(key))).status).toBe(201)
  })
})

describe('a lost one', () => {
  const reset = (api: Api, id: string) => api.delete(`/members/${id}/second-factor`)
  const secondFactorOf = async (key: Api, id: string) =>
    (await key.get('/members')).data.members.find((member: { id: string }) => member.id === id).secondFactor

  test('is reset by an owner: the member is out everywhere, needs no code, and sets up another one', async () => {
    const key = await workspace('Toko Lupa')
    const owner = await memberOf(key, 'OWNER', 'Ibu Sari')
    const email = `faktor${(count += 1)}@example.com`
    const body = { email, name: 'Sri', role: 'MANAGER', password: PASSWORD }
    const { id } = (await key.post('/members', body)).data.member
    const { api, secret } = await switchOn(browser(cookieOf(await logIn(email))))
    const challenge = await challengeOf(email)
    for (let n = 0; n < 10; n += 1) await finish(challenge, otherThan(codeOf(secret)), as(null), elsewhere())
    expect(await secondFactorOf(key, id)).toBe(true)

    const done = await reset(owner.api, id)
    expect([done.status, done.data?.member]).toEqual([
      200,
      expect.objectContaining({ id, email, secondFactor: false }),
    ])
    expect(await secondFactorOf(key, id)).toBe(false)
    expect((await api.get('/outlets')).status).toBe(401)
    expect((await finish(challenge, codeOf(secret), as(null), elsewhere())).status).toBe(401)
    const entered = await logIn(email)
    expect(entered.status).toBe(200)
    expect((await subjectsTo(email)).at(-1)).toBe('Toko Lupa: Your second factor was reset')
    const { rows } = await deps().pool.query<{ body: string; cause: string }>(
      `select body, cause from events where ref_id = $1 and type = 'audit.second_factor.changed.v1' order by id desc limit 1`,
      [id],
    )
    expect(JSON.parse(rows[0]?.body ?? '').data).toEqual({ memberId: id, change: 'RESET' })
    expect(JSON.parse(rows[0]?.cause ?? '').actor).toEqual({ kind: 'member', id: owner.id })
    await switchOn(browser(cookieOf(entered)))
    expect(await secondFactorOf(key, id)).toBe(true)
  })

  test('is nothing to reset where none is on, none counts yet, or the member is of another workspace', async () => {
    const owner = await ownerOf(acme())
    const { api, id } = await person()
    expect(refusalOf(await reset(owner, id))).toEqual({ status: 404, code: 'NOT_FOUND' })
    const { id: other, api: theirs } = await memberOf(acme(), 'CASHIER')
    expect(refusalOf(await reset(owner, other))).toEqual({ status: 409, code: 'CONFLICT' })
    expect((await theirs.post('/auth/second-factor', {})).status).toBe(201)
    expect(refusalOf(await reset(owner, other))).toEqual({ status: 409, code: 'CONFLICT' })
    expect((await theirs.get('/outlets')).status).toBe(200)
    expect((await api.get('/outlets')).status).toBe(200)
  })

  test('is not reset by an API key', async () => {
    const { id, api } = await memberOf(acme(), 'CASHIER')
    await switchOn(api, {})
    expect(refusalOf(await reset(acme(), id))).toEqual({ status: 403, code: 'FORBIDDEN' })
    expect(await secondFactorOf(acme(), id)).toBe(true)
  })

  test('of your own is not reset by yourself', async () => {
    const { api, id, email } = await guarded()
    expect(refusalOf(await reset(api, id))).toEqual({ status: 403, code: 'FORBIDDEN' })
    await challengeOf(email)
  })
})

test('the log tells of each sign-in, of each change, of the code used up, and of a wrong code without an actor', async () => {
  const { id, email, secret, recoveryCodes } = await guarded()
  const challenge = await challengeOf(email)
  await finish(challenge, otherThan(codeOf(secret)))
  const entered = await finish(challenge, recoveryCodes[0] ?? '')
  const api = browser(cookieOf(entered))
  expect((await finish(challenge, codeOf(secret))).status).toBe(200)
  clock.advance(STEP)
  await api.post('/auth/second-factor/off', { currentPassword: PASSWORD, code: codeOf(secret) })
  const { rows } = await deps().pool.query<{ type: string; body: string; cause: string }>(
    `select type, body, cause from events where ref_id = $1 and type like 'audit.%' order by id`,
    [id],
  )
  const told = rows.map(({ type, body, cause }) => [
    type,
    JSON.parse(cause).actor?.id ?? null,
    JSON.parse(body).data,
  ])
  const changed = (change: string) => ['audit.second_factor.changed.v1', id, { memberId: id, change }]
  const started = (by: string) => ['audit.session.started.v1', id, { memberId: id, by }]
  expect(told.filter(([type]) => type !== 'audit.session.ended.v1')).toEqual([
    started('SIGN_UP'),
    changed('ON'),
    ['audit.session.refused.v1', null, { memberId: id }],
    started('PASSWORD'),
    changed('CODE_USED'),
    started('PASSWORD'),
    changed('OFF'),
  ])
})

test('the database holds neither the secret nor a recovery code, and a lost key leaves the recovery codes', async () => {
  const { id, email, secret, recoveryCodes } = await guarded()
  const { rows } = await deps().pool.query(
    'select f::text || c::text as text from second_factors f join recovery_codes c using (account_id, member_id) where member_id = $1',
    [id],
  )
  expect(rows).toHaveLength(10)
  const text = JSON.stringify(rows)
  for (const planted of [
    secret,
    ...recoveryCodes,
    ...recoveryCodes.map((code) => code.replaceAll('-', '')),
  ]) {
    expect(text).not.toContain(planted)
    expect(text).not.toContain(Buffer.from(planted).toString('base64').replaceAll('=', ''))
    expect(text).not.toContain(Buffer.from(planted).toString('hex'))
  }
  await deps().pool.query(
    `update second_factors set secret = 'sealed.v2.0000000000000000.AAAA' where member_id = $1`,
    [id],
  )
  const challenge = await challengeOf(email)
  expect((await finish(challenge, codeOf(secret))).status).toBe(401)
  expect((await finish(challenge, recoveryCodes[0] ?? '')).status).toBe(200)
})
