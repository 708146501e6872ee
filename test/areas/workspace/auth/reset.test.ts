import { expect, test } from 'vitest'
import { expires } from '../../../../src/jobs.ts'
import { manualClock } from '../../../../src/platform/clock.ts'
import { sweep } from '../../../../src/platform/jobs/sweep.ts'
import { browser, cookieOf } from '../../../support/clients.ts'
import { refusalOf } from '../../../support/expect.ts'
import { mailsTo, writtenMails } from '../../../support/mails.ts'
import { acme, as, deps, startHarness, useService } from '../../../support/service.ts'

const clock = manualClock('2026-05-01T01:00:00.000Z')
useService({ clock, env: { TRUST_PROXY: '1', PUBLIC_URL: 'http://kasir.example.com/' } })

const MINUTE = 60_000
const PASSWORD = 'nasi goreng pedas'
const NEXT = 'gado gado siang'
let network = 0
const fromNewNetwork = () => {
  network += 1
  return { 'x-forwarded-for': `198.51.${Math.floor(network / 250)}.${(network % 250) + 1}` }
}
let count = 0
async function someone() {
  const email = `pelupa${(count += 1)}@example.com`
  const answer = await as(null).post('/auth/signup', { email, password: PASSWORD, name: 'Wati' })
  expect(answer.status).toBe(201)
  return { email, cookie: cookieOf(answer), id: answer.data.user.id as string }
}
const forget = (email: string, headers: Record<string, string> = fromNewNetwork()) =>
  as(null).post('/auth/password/forgot', { email }, { headers })
const reset = (token: string, password = NEXT) => as(null).post('/auth/password/reset', { token, password })
const logIn = (email: string, password: string) =>
  as(null).post('/auth/login', { email, password }, { headers: fromNewNetwork() })

/** The tokens of the links that went to an address, in no order. */
const tokensFor = async (email: string) =>
  (await mailsTo(email)).flatMap((mail) => /password#(\S+)/.exec(mail)?.[1] ?? [])
async function newTokenFor(email: string, headers?: Record<string, string>) {
  const before = await tokensFor(email)
  expect((await forget(email, headers)).status).toBe(202)
  const [token = '', ...more] = (await tokensFor(email)).filter((one) => !before.includes(one))
  expect(more).toEqual([])
  return token
}

test('a forgotten password is set anew by the link of the mail, once', async () => {
  const { email } = await someone()
  expect((await forget(` ${email.toUpperCase()} `)).status).toBe(202)
  const [link = ''] = await tokensFor(email)
  const answer = await reset(link)
  expect([answer.status, answer.data]).toEqual([200, { passwordReset: true }])
  expect(answer.headers.getSetCookie()).toEqual([])
  expect([(await logIn(email, PASSWORD)).status, (await logIn(email, NEXT)).status]).toEqual([401, 200])
  const again = await reset(link, PASSWORD)
  expect(refusalOf(again)).toEqual({ status: 422, code: 'VALIDATION_ERROR', param: 'token' })
})

test('setting it ends every session of the member, and a mail tells them', async () => {
  const { email, cookie } = await someone()
  const other = cookieOf(await logIn(email, PASSWORD))
  const token = await newTokenFor(email)
  for (const one of [cookie, other]) expect((await browser(one).get('/auth/me')).status).toBe(200)
  await reset(token)
  for (const one of [cookie, other]) expect((await browser(one).get('/auth/me')).status).toBe(401)
  expect((await mailsTo(email)).filter((mail) => mail.includes('Your password was changed'))).toHaveLength(1)
})

test('the link goes to PUBLIC_URL, whatever host the request names', async () => {
  const { email } = await someone()
  await forget(email, {
    ...fromNewNetwork(),
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
  })
  const mail = (await mailsTo(email)).join('\n')
  expect(mail).toMatch(/^http:\/\/kasir\.example\.com\/password#\S{70}\r$/m)
  expect(mail).not.toContain('evil.example')
})

test('a link works for 60 minutes, and is swept when it has ended', async () => {
  const [early, late] = [await someone(), await someone()]
  const [first, second] = [await newTokenFor(early.email), await newTokenFor(late.email)]
  clock.advance(60 * MINUTE - 1)
  expect((await reset(first)).status).toBe(200)
  clock.advance(1)
  expect((await reset(second)).status).toBe(422)
  clock.advance(1)
  await sweep(deps(), expires)
  const left = await deps().db.selectFrom('mailedLinks').select('kind').execute()
  expect(left.filter(({ kind }) => kind === 'PASSWORD')).toEqual([])
})

test('a newer link voids the one before it', async () => {
  const { email } = await someone()
  const [old, latest] = [await newTokenFor(email), await newTokenFor(email)]
  expect((await reset(old)).status).toBe(422)
  expect((await reset(latest)).status).toBe(200)
})

test('a link ends with the password it was made for, and with the address it went to', async () => {
  const [one, two] = [await someone(), await someone()]
  const [first, second] = [await newTokenFor(one.email), await newTokenFor(two.email)]
  const own = { currentPassword: PASSWORD }
  const changed = await browser(one.cookie).patch(`/members/${one.id}`, { ...own, password: 'soto ayam' })
  const moved = await browser(two.cookie).patch(`/members/${two.id}`, { ...own, email: 'moved@example.com' })
  expect([changed.status, moved.status]).toEqual([200, 200])
  expect([(await reset(first)).status, (await reset(second)).status]).toEqual([422, 422])
  expect((await logIn(one.email, 'soto ayam')).status).toBe(200)
})

test('of two who come with one link at once, one is served', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { email } = await someone()
    const token = await newTokenFor(email)
    const answers = await Promise.all([reset(token, 'sate padang'), reset(token, 'bakso urat')])
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 422])
    const winner = answers[0]?.status === 200 ? 'sate padang' : 'bakso urat'
    expect((await logIn(email, winner)).status).toBe(200)
  }
})

test('unknown and known addresses get one and the same answer after the same time', async () => {
  const known = await Promise.all(Array.from({ length: 9 }, someone))
  await forget(known[0]?.email ?? '')
  const times = { known: [] as number[], unknown: [] as number[] }
  const answers: unknown[] = []
  for (const [n, { email }] of known.entries()) {
    for (const kind of ['known', 'unknown'] as const) {
      const start = performance.now()
      const { status, data, error, headers } = await forget(
        kind === 'known' ? email : `hantu${n}@example.com`,
      )
      times[kind].push(performance.now() - start)
      answers.push([status, data, error, headers.getSetCookie()])
    }
  }
  expect(answers).toEqual(Array(18).fill([202, { accepted: true }, null, []]))
  const median = (values: number[]) => values.sort((a, b) => a - b)[4] ?? 0
  expect(Math.abs(median(times.known) - median(times.unknown))).toBeLessThan(20)
})

test('whoever was invited and has no password yet gets no second link', async () => {
  const email = 'tamu@example.com'
  await acme().post('/members', { email, name: 'Tamu', role: 'CASHIER' })
  expect((await forget(email)).status).toBe(202)
  expect(await tokensFor(email)).toEqual([])
})

test('an address gets three links an hour, and the last of them goes on working', async () => {
  const { email } = await someone()
  const tokens = [await newTokenFor(email), await newTokenFor(email), await newTokenFor(email)]
  for (let n = 0; n < 3; n += 1) expect((await forget(email)).status).toBe(202)
  expect((await tokensFor(email)).toSorted()).toEqual(tokens.toSorted())
  expect((await reset(tokens[2] ?? '')).status).toBe(200)
  clock.advance(60 * MINUTE)
  expect(await newTokenFor(email)).not.toBe('')
})

test('whoever has other addresses of the same mailbox uses up the links of nobody', async () => {
  const email = `kotak${(count += 1)}@example.com`
  for (const address of [email, email.replace('@', '+a@'), email.replace('@', '+b@')]) {
    expect((await as(null).post('/auth/signup', { email: address, password: PASSWORD })).status).toBe(201)
  }
  for (const part of ['+a@', '+b@']) {
    for (let n = 0; n < 3; n += 1) await forget(email.replace('@', part))
  }
  expect((await reset(await newTokenFor(email))).status).toBe(200)
})

test('a network asks ten times in 15 minutes, for addresses that exist or not', async () => {
  const from = fromNewNetwork()
  for (let n = 0; n < 10; n += 1) expect((await forget(`x${n}@example.com`, from)).status).toBe(202)
  const refused = await forget('x10@example.com', from)
  expect([refused.status, refused.error.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'RATE_LIMITED',
    '900',
  ])
  expect(refused.error.message).toBe('Too many requests for a new password; try again in 15 min')
  expect((await forget('x10@example.com')).status).toBe(202)
})

test('neither the database nor the log holds the token', async () => {
  const lines: string[] = []
  const { makeLog } = await import('../../../../src/platform/log/log.ts')
  const log = makeLog('trace', { write: (line: string) => void lines.push(line) })
  const { harness, stop } = await startHarness({ log, env: { LOG_REQUESTS: 'all' } })
  try {
    const api = harness.as(null)
    await api.post('/auth/signup', { email: 'rahasia@example.com', password: PASSWORD })
    await api.post('/auth/password/forgot', { email: 'rahasia@example.com' })
    const texts = await writtenMails(harness.deps)
    const [, token = ''] = /password#(\S+)/.exec(texts.join('\n')) ?? []
    expect(token).toHaveLength(70)
    const stored = JSON.stringify(await harness.deps.db.selectFrom('mailedLinks').selectAll().execute())
    expect(stored).toContain('tokenHash')
    expect((await api.post('/auth/password/reset', { token, password: NEXT })).status).toBe(200)
    const secret = token.split('.')[1] ?? ''
    expect(lines.length).toBeGreaterThan(3)
    for (const text of [stored, lines.join('\n')]) {
      for (const word of [secret, NEXT, 'rahasia@example.com']) expect(text).not.toContain(word)
    }
  } finally {
    await stop()
  }
})

test.each([
  ['/auth/password/forgot', {}, 'email'],
  ['/auth/password/forgot', { email: '' }, 'email'],
  ['/auth/password/forgot', { email: 'x'.repeat(201) }, 'email'],
  ['/auth/password/reset', { password: NEXT }, 'token'],
  ['/auth/password/reset', { token: 'x', password: 'short' }, 'password'],
  ['/auth/password/reset', { token: 'x', password: 'x'.repeat(201) }, 'password'],
  ['/auth/password/reset', { token: 'x'.repeat(201), password: NEXT }, 'token'],
])('%s refuses %j', async (to, body, param) => {
  const refused = await as(null).post(to, body, { headers: fromNewNetwork() })
  expect(refusalOf(refused)).toEqual({ status: 400, code: 'VALIDATION_ERROR', param })
})

test('a token that was never made is 422, whatever it looks like', async () => {
  const { email } = await someone()
  const token = await newTokenFor(email)
  const [ulid = ''] = token.split('.')
  for (const made of [
    'x',
    `${ulid}.${'A'.repeat(43)}`,
    token.slice(0, -1),
    `${token}x`,
    token.toLowerCase(),
  ]) {
    const refused = await reset(made)
    expect([made, refused.status, refused.error.param]).toEqual([made, 422, 'token'])
  }
})
