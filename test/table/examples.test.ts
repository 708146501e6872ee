import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXAMPLES } from '../../src/document/examples.ts'
import { authOf } from '../../src/platform/http/route.ts'
import { notify } from '../support/notices.ts'
import { acme, as, deps, useService } from '../support/service.ts'
import { routes } from './local.ts'
import { probeFor } from './probes/index.ts'
import { at, nameOf, type Place, type Probe, send } from './request.ts'

useService()

const ID = /^([a-z]+)_[0-9A-HJKMNP-TV-Z]{26}$/

/** The example with the ids of a workspace in the places of its own: those that a request of the same route names. */
function filled(value: unknown, probe: Probe, place: Place): unknown {
  const own = at(probe, place)
  if (typeof value === 'string' && ID.test(value)) {
    expect(own, `${place.join('.')} has a record to name`).toMatch(new RegExp(`^${ID.exec(value)?.[1]}_`))
    return own
  }
  // A list of nothing but ids names all there are.
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string' && ID.test(entry))) return own
  if (Array.isArray(value)) return value.map((entry, index) => filled(entry, probe, [...place, index]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, filled(entry, probe, [...place, key])]),
  )
}

const rows = routes.filter(
  (row) => row.body !== undefined && row.area !== 'auth' && authOf(row) !== 'signature',
)

describe.each(rows.map((row) => [nameOf(row), row] as const))('%s', (_, row) => {
  test('accepts its example, whose ids are those of the workspace', async () => {
    const probe = await probeFor(row, acme())
    const body = filled(EXAMPLES[row.name], probe, ['body']) as Record<string, unknown>
    const answer = await send(acme(), row, { ...probe, body })
    expect([answer.status, answer.error]).toEqual([row.status ?? 200, null])
  })
})

test('the example of a notice is one that has an effect', async () => {
  const { accountId } = acme().workspace
  const example = JSON.stringify(EXAMPLES['inbound.payment']).replace(/acc_\w{26}/, accountId)
  expect(await notify(example)).toEqual([200, undefined])
  expect((await acme().get('/billing')).data.subscription.tier).toBe('starter')
})

/** The token of the link in the mail to an address. */
async function tokenOf(email: string, link = '\\w+') {
  const folder = path.join(deps().config.dataDir, 'mail')
  const mails = await Promise.all(
    (await readdir(folder)).map((file) => readFile(path.join(folder, file), 'utf8')),
  )
  const own = mails.filter((mail) => mail.includes(`To: ${email}\r\n`)).join('\n')
  return new RegExp(`/${link}#(\\S+)`).exec(own)?.[1] ?? ''
}

test('the examples of signing up, signing in and accepting an invitation follow each other', async () => {
  const signedUp = await as(null).post('/auth/signup', EXAMPLES['auth.signup'])
  expect([signedUp.status, signedUp.error]).toEqual([201, null])
  const signedIn = await as(null).post('/auth/login', EXAMPLES['auth.login'])
  expect([signedIn.status, signedIn.error]).toEqual([200, null])
  const { status } = await acme().post('/members', {
    ...EXAMPLES['members.create'],
    email: 'wati@example.com',
  })
  expect(status).toBe(201)
  const token = await tokenOf('wati@example.com')
  const accepted = await as(null).post('/auth/invitations/accept', {
    ...EXAMPLES['auth.acceptInvitation'],
    token,
  })
  expect([accepted.status, accepted.error]).toEqual([200, null])
  expect(token).toHaveLength(String(EXAMPLES['auth.acceptInvitation']?.['token']).length)
  const signUpMail = await tokenOf(String(EXAMPLES['auth.signup']?.['email']))
  const confirmed = await as(null).post('/auth/email/verify', {
    ...EXAMPLES['auth.verifyEmail'],
    token: signUpMail,
  })
  expect([confirmed.status, confirmed.error]).toEqual([200, null])
  const forgotten = await as(null).post('/auth/password/forgot', EXAMPLES['auth.forgotPassword'])
  expect([forgotten.status, forgotten.error]).toEqual([202, null])
  const reset = await as(null).post('/auth/password/reset', {
    ...EXAMPLES['auth.resetPassword'],
    token: await tokenOf(String(EXAMPLES['auth.forgotPassword']?.['email']), 'password'),
  })
  expect([reset.status, reset.error]).toEqual([200, null])
})
