import { describe, expect, test } from 'vitest'
import { browser, cookieOf } from '../../../support/clients.ts'
import { refusalOf } from '../../../support/expect.ts'
import { as, deps, type Harness, startHarness, useService } from '../../../support/service.ts'

useService()

const PASSWORD = 'kopi susu gula aren'
const signUp = (body: object, headers: Record<string, string> = {}) =>
  as(null).post('/auth/signup', { password: PASSWORD, ...body }, { headers })

test('signing up answers 201 with user and account, and the cookie is signed in', async () => {
  const made = await signUp({
    email: ' Sari@Example.com ',
    name: 'Sari',
    businessName: 'Kopi Sari',
    businessType: 'FNB',
  })
  expect(made.status).toBe(201)
  expect(made.data).toEqual({
    user: { id: expect.stringMatching(/^usr_/), email: 'Sari@Example.com', name: 'Sari', role: 'OWNER' },
    account: {
      id: expect.stringMatching(/^acc_/),
      businessName: 'Kopi Sari',
      businessType: 'FNB',
      effectiveTier: 'business',
    },
  })
  const sari = browser(cookieOf(made))
  const me = await sari.get('/auth/me')
  expect(me.data).toEqual({
    ...made.data,
    user: { ...made.data.user, emailVerifiedAt: null },
    credential: { type: 'session' },
  })
  const { outlets } = (await sari.get('/outlets')).data
  expect(outlets).toMatchObject([{ name: 'Kopi Sari', timezone: 'Asia/Jakarta', isActive: true }])
  expect((await sari.get('/settings')).data.settings).toMatchObject({
    businessName: 'Kopi Sari',
    businessType: 'FNB',
  })
  expect((await sari.get('/members')).data.members).toMatchObject([
    { id: made.data.user.id, email: 'Sari@Example.com', role: 'OWNER', status: 'ACTIVE' },
  ])
})

test('without a business name the workspace is called after the person and starts without an outlet', async () => {
  const named = await signUp({ email: 'budi@example.com', name: 'Budi' })
  expect(named.data.account).toMatchObject({ businessName: 'Budi', businessType: 'GENERAL' })
  expect((await browser(cookieOf(named)).get('/outlets')).data.outlets).toEqual([])
  const nameless = await signUp({ email: 'toko.maju@example.com' })
  expect([nameless.data.user.name, nameless.data.account.businessName]).toEqual(['toko.maju', 'toko.maju'])
})

test('on plain http the cookie is HttpOnly and Lax; the token is nowhere in the database', async () => {
  const made = await signUp({ email: 'cookie@example.com' })
  const [line = ''] = made.headers.getSetCookie()
  expect(line).toMatch(
    /^kasir_session=[0-9A-HJKMNP-TV-Z]{26}\.[A-Za-z0-9_-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const token = cookieOf(made)?.split('=')[1] ?? 'none'
  const rows = await deps().db.selectFrom('sessions').selectAll().execute()
  const members = await deps().db.selectFrom('members').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(token.slice(-43))
  expect(JSON.stringify(members)).not.toContain(PASSWORD)
  for (const { passwordHash } of members) expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('over https the cookie is bound to the host and secure', async () => {
  const { harness, stop } = await startHarness({ env: { PUBLIC_URL: 'https://kasir.example.com' } })
  try {
    const made = await harness.as(null).post('/auth/signup', { email: 'tls@example.com', password: PASSWORD })
    expect(made.headers.getSetCookie()[0]).toMatch(
      /^__Host-kasir_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const cookie = cookieOf(made) ?? ''
    expect((await harness.as(null).get('/auth/me', { headers: { cookie } })).status).toBe(200)
    const plain = cookie.replace('__Host-', '')
    expect((await harness.as(null).get('/auth/me', { headers: { cookie: plain } })).status).toBe(401)
  } finally {
    await stop()
  }
})

test('an address signs up once, in whatever case and however many at once', async () => {
  expect((await signUp({ email: 'once@example.com' })).status).toBe(201)
  const again = await signUp({ email: ' ONCE@example.COM', businessName: 'Second' })
  expect(refusalOf(again)).toMatchObject({ status: 409, code: 'CONFLICT' })
  expect(again.headers.getSetCookie()).toEqual([])
  const race = await Promise.all(
    Array.from({ length: 8 }, (_, n) => signUp({ email: 'race@example.com', businessName: `Race ${n}` })),
  )
  expect(race.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([201, ...Array(7).fill(409)])
  const left = await deps().db.selectFrom('accounts').select('name').where('name', 'like', 'Race %').execute()
  expect(left).toHaveLength(1)
  const outlets = await deps()
    .db.selectFrom('outlets')
    .select('name')
    .where('name', 'like', 'Race %')
    .execute()
  expect(outlets).toHaveLength(1)
})

test('a password is kept to the letter, spaces at its ends included', async () => {
  await signUp({ email: 'space@example.com', password: '  kopi  ☕  ' })
  const login = (password: string) => as(null).post('/auth/login', { email: 'space@example.com', password })
  expect((await login('  kopi  ☕  ')).status).toBe(200)
  expect((await login('kopi  ☕')).status).toBe(401)
})

test.each([
  [{}, 'email'],
  [{ email: 'nobody' }, 'email'],
  [{ email: 'a@b@c.com' }, 'email'],
  [{ email: 'a b@example.com' }, 'email'],
  [{ email: 'x@example.com\r\nBcc: y@example.com' }, 'email'],
  [{ email: `${'x'.repeat(190)}@example.com` }, 'email'],
  [{ email: 5 }, 'email'],
  [{ email: 'p@example.com', password: undefined }, 'password'],
  [{ email: 'p@example.com', password: '1234567' }, 'password'],
  [{ email: 'p@example.com', password: 'x'.repeat(201) }, 'password'],
  [{ email: 'p@example.com', password: 12345678 }, 'password'],
  [{ email: 'p@example.com', password: 'nul\u0000inside' }, 'password'],
  [{ email: 'p@example.com', name: '' }, 'name'],
  [{ email: 'p@example.com', name: 'x'.repeat(121) }, 'name'],
  [{ email: 'p@example.com', businessName: ' ' }, 'businessName'],
  [{ email: 'p@example.com', businessName: 'x'.repeat(121) }, 'businessName'],
  [{ email: 'p@example.com', businessType: 'CAFE' }, 'businessType'],
])('POST /auth/signup refuses %j', async (body, param) => {
  const refused = await signUp(body)
  expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
  expect(refused.headers.getSetCookie()).toEqual([])
})

test('a password of eight characters or of two hundred is enough', async () => {
  expect((await signUp({ email: 'p8@example.com', password: 'gudegjog' })).status).toBe(201)
  expect((await signUp({ email: 'p200@example.com', password: '☕'.repeat(200) })).status).toBe(201)
})

test('a body beyond 64 KiB is refused before anything is read', async () => {
  const refused = await signUp({ email: 'big@example.com', name: 'x'.repeat(70_000) })
  expect(refusalOf(refused)).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
})

describe('SIGNUP', () => {
  const open = (harness: Harness, n: number) =>
    harness.as(null).post('/auth/signup', { email: `opener${n}@example.com`, password: PASSWORD })
  const without = async (SIGNUP: string, work: (harness: Harness) => Promise<void>) => {
    const { harness, stop } = await startHarness({ env: { SIGNUP } })
    try {
      await work(harness)
    } finally {
      await stop()
    }
  }

  test('closed opens no workspace, says where to ask, and still lets members in', () =>
    without('closed', async (harness) => {
      const refused = await open(harness, 1)
      expect(refusalOf(refused)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
      expect(refused.error.message).toContain('invitation')
      const login = { email: 'in@example.com', password: PASSWORD }
      await harness.acme.post('/members', { ...login, name: 'In', role: 'CASHIER' })
      expect((await harness.as(null).post('/auth/login', login)).status).toBe(200)
    }))

  test('first opens one workspace, of however many at once and through two processes', () =>
    without('first', async (harness) => {
      expect((await open(harness, 0)).status).toBe(403)
      // Two workspaces come with the harness: they go, so that there is none.
      await harness.deps.pool.query('truncate accounts cascade')
      const there = await harness.alongside()
      try {
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, n) =>
            open(n % 2 ? harness : { ...harness, as: () => there.as('') }, n),
          ),
        )
        expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([
          201,
          ...Array(9).fill(403),
        ])
      } finally {
        await there.stop()
      }
    }))
})
