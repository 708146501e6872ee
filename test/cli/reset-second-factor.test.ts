import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { browser, cookieOf } from '../support/clients.ts'
import { done } from '../support/expect.ts'
import { kasir } from '../support/kasir.ts'
import { as, deps, useService } from '../support/service.ts'

useService()

const SLOW = 60_000
const run = (...args: string[]) =>
  kasir(['reset-second-factor', ...args], {
    DATA_DIR: deps().config.dataDir,
    DATABASE_URL: deps().pool.options.connectionString ?? '',
    ALLOW_UNSAFE_DATABASE: '1',
  })

test(
  'kasir reset-second-factor lets a sole owner without phone and recovery codes in again, and the log says who did it',
  async () => {
    const [email, password] = ['sari@example.com', 'nasi goreng pedas']
    const signedUp = await as(null).post('/auth/signup', { email, password, name: 'Sari' })
    const { id } = signedUp.data.user
    const { secret } = done(
      await browser(cookieOf(signedUp)).post('/auth/second-factor', { currentPassword: password }),
    )
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    const confirmed = await browser(cookieOf(signedUp)).post('/auth/second-factor/confirm', { code })
    const logIn = () => as(null).post('/auth/login', { email, password })
    expect((await logIn()).error?.code).toBe('SECOND_FACTOR_REQUIRED')

    expect(await run(' Sari@Example.com ')).toEqual({
      code: 0,
      out: 'Sari (sari@example.com) signs in with the password alone from now on.\nAll their browsers are signed out, and a mail informs them. They can set up a second factor again.\n',
      err: '',
    })
    expect((await browser(cookieOf(confirmed)).get('/outlets')).status).toBe(401)
    const entered = await logIn()
    expect(entered.status).toBe(200)
    const events = done(await browser(cookieOf(entered)).get('/events?type=audit.second_factor.changed.v1'))
    expect(events[0]).toMatchObject({
      actor: { kind: 'service', id: 'operator' },
      data: { memberId: id, change: 'RESET' },
    })

    expect(await run(email)).toEqual({ code: 1, out: '', err: 'Sari has no second factor\n' })
  },
  SLOW,
)

test.each([
  [['nobody@example.com'], 'No member signs in as nobody@example.com in this database\nSee kasir --help\n'],
  [[], 'Missing required positional argument: EMAIL\nSee kasir --help\n'],
])(
  'kasir reset-second-factor %j changes nothing and says why',
  async (args, err) => {
    expect(await run(...args)).toEqual({ code: 2, out: '', err })
  },
  SLOW,
)
