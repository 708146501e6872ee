import type { Socket } from 'node:net'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { manualClock } from '../../../../src/platform/clock.ts'
import type { Answer } from '../../../support/api.ts'
import { browser, cookieOf } from '../../../support/clients.ts'
import { done } from '../../../support/expect.ts'
import { mailsTo } from '../../../support/mails.ts'
import { acme, as, useService } from '../../../support/service.ts'
import { watching } from '../../../support/statements.ts'

const clock = manualClock('2026-05-01T01:00:00.000Z')
useService({ clock, env: { TRUST_PROXY: '1', PUBLIC_URL: 'http://kasir.example.com' } })

const PASSWORD = 'nasi goreng pedas'
const NEXT = 'rendang padang'
const STEP_MS = 30_000
let count = 0
const address = () => `masuk${(count += 1)}@example.com`
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.ms() })

/** What the mail of an invitation leads to. */
async function tokenTo(email: string): Promise<string> {
  for (const mail of await mailsTo(email)) {
    const [, token] = /invitation#(\S+)/.exec(mail) ?? []
    if (token !== undefined) return token
  }
  throw new Error(`nobody wrote to ${email}`)
}

/** Loses the database at the COMMIT that a session was started in: nothing is answered any more. */
async function thenLost(work: () => Promise<Answer>): Promise<Answer> {
  let state: 'before' | 'started' | 'committed' = 'before'
  const answer = await watching(({ text }, client) => {
    if (state === 'committed') (client.connection.stream as Socket).destroy()
    if (/^insert into "sessions"/i.test(text)) state = 'started'
    if (state === 'started' && /^commit/i.test(text)) state = 'committed'
  }, work)
  expect(state).toBe('committed')
  return answer
}

/** Somebody who is signed in at a browser. */
async function person() {
  const email = address()
  const answer = await as(null).post('/auth/signup', { email, password: PASSWORD })
  return { email, api: browser(cookieOf(answer)) }
}

async function withFactor() {
  const { email, api } = await person()
  const { secret } = done(await api.post('/auth/second-factor', { currentPassword: PASSWORD }))
  done(await api.post('/auth/second-factor/confirm', { code: codeOf(secret) }))
  clock.advance(STEP_MS)
  const { error } = await as(null).post('/auth/login', { email, password: PASSWORD })
  return { secret, challenge: error.details.challenge }
}

const entries: [string, () => Promise<() => Promise<Answer>>][] = [
  ['signing up', async () => () => as(null).post('/auth/signup', { email: address(), password: PASSWORD })],
  [
    'signing up at a browser that somebody else was signed in at',
    async () => {
      const { api } = await person()
      return () => api.post('/auth/signup', { email: address(), password: PASSWORD })
    },
  ],
  [
    'signing in',
    async () => {
      const { email } = await person()
      return () => as(null).post('/auth/login', { email, password: PASSWORD })
    },
  ],
  [
    'the second step of it',
    async () => {
      const { secret, challenge } = await withFactor()
      return () => as(null).post('/auth/login/second-factor', { challenge, code: codeOf(secret) })
    },
  ],
  [
    'switching a second factor on',
    async () => {
      const { api } = await person()
      const { secret } = done(await api.post('/auth/second-factor', { currentPassword: PASSWORD }))
      return () => api.post('/auth/second-factor/confirm', { code: codeOf(secret) })
    },
  ],
  [
    'another password',
    async () => {
      const { api } = await person()
      return () => api.post('/auth/password', { currentPassword: PASSWORD, password: NEXT })
    },
  ],
  [
    'an invitation',
    async () => {
      const email = address()
      done(await acme().post('/members', { email, name: 'Dewi', role: 'CASHIER' }))
      const token = await tokenTo(email)
      return () => as(null).post('/auth/invitations/accept', { token, password: NEXT })
    },
  ],
]

test.each(entries)('%s that was saved lets them in, whatever fails behind it', async (_what, prepare) => {
  const enter = await prepare()
  const answer = await thenLost(enter)
  expect([answer.status, answer.error]).toEqual([expect.toSatisfy((status) => status < 300), null])
  expect((await browser(cookieOf(answer)).get('/auth/me')).status).toBe(200)
})
