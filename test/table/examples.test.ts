import { describe, expect, test } from 'vitest'
import { startReferenceFulfillmentPartner } from '../../reference-partners/src/fulfillment/index.ts'
import { startReferencePaymentPartner } from '../../reference-partners/src/payment/index.ts'
import { isUnsafe } from '../../src/core/methods.ts'
import { EXAMPLES } from '../../src/document/examples.ts'
import { documentAt } from '../../src/document.ts'
import { authOf } from '../../src/platform/http/route.ts'
import { makeLog } from '../../src/platform/log/log.ts'
import { routes as all } from '../../src/routes.ts'
import type { Answer, Api } from '../support/api.ts'
import { enableModule } from '../support/build.ts'
import { cloneDatabase } from '../support/db.ts'
import { mailsTo } from '../support/mails.ts'
import { notify } from '../support/notices.ts'
import { SECRETS, settingsOf } from '../support/partner.ts'
import { insertCheckout } from '../support/rows.ts'
import { acme, as, deps, startHarness, useService } from '../support/service.ts'
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
  (row) => row.body !== undefined && !['auth', 'operator'].includes(row.area) && authOf(row) !== 'signature',
)

describe.each(rows.map((row) => [nameOf(row), row] as const))('%s', (_, row) => {
  test('accepts its example, whose ids are those of the workspace', async () => {
    const probe = await probeFor(row, acme())
    const body = filled(EXAMPLES[row.name], probe, ['body']) as Record<string, unknown>
    const answer = await send(acme(), row, { ...probe, body })
    // A file has no envelope, so no error either.
    expect([answer.status, answer.error ?? null]).toEqual([row.status ?? 200, null])
  })
})

test('the example of a notice is one that has an effect', async () => {
  const { accountId } = acme().workspace
  const example = JSON.stringify(EXAMPLES['inbound.payment']).replace(/acc_\w{26}/, accountId)
  await insertCheckout(deps(), acme(), /cks_\w{26}/.exec(example)?.[0] ?? '', 'starter')
  expect(await notify(example)).toEqual([200, undefined])
  expect((await acme().get('/billing')).data.subscription.tier).toBe('starter')
})

type Made = Record<string, string>
/** What is handed on, in an order in which each body has what it names; and whose id its path names, by its prefix. */
const HANDED_ON: [name: string, kind?: string, param?: string][] = [
  ['checkoutSessions.create'],
  ['checkoutSessions.confirm', 'cks'],
  ['paymentReceipts.email', 'rct'],
  ['payouts.setBankAccount'],
  ['payouts.create'],
  ['payouts.update', 'pyo'],
  ['paymentCustomers.create'],
  ['paymentCustomers.update', 'cus'],
  ['paymentPlans.create'],
  ['paymentPlans.update', 'pln'],
  ['paymentPlans.addPrice', 'pln'],
  ['paymentPlans.updatePrice', 'prc', 'priceId'],
  ['paymentPlans.delete', 'pln'],
  ['paymentSubscriptions.create'],
  ['paymentSubscriptions.update', 'sub'],
  ['paymentSubscriptions.cancel', 'sub'],
  ['shipping.updateOrigin'],
  ['shipping.quote'],
  ['fulfillmentShipments.create'],
  ['fulfillmentShipments.confirmPickup', 'shp'],
  ['fulfillmentShipments.cancel', 'shp'],
  ['shippingCredits.topUp'],
  ['warehouses.create'],
  ['warehouses.update', 'whs'],
  ['warehouses.delete', 'whs'],
  ['fulfillmentStock.adjust'],
  ['licenses.create'],
  ['licenses.validate'],
]

/** A receipt comes of what was confirmed; nothing goes into what was deleted. */
const BEFORE: Record<string, (api: Api) => Promise<Answer>> = {
  'paymentReceipts.email': (api) => api.get('/payments/receipts'),
  'paymentSubscriptions.create': (api) => api.post('/payments/plans', EXAMPLES['paymentPlans.create']),
  'fulfillmentStock.adjust': (api) => api.post('/fulfillment/warehouses', EXAMPLES['warehouses.create']),
}

test('every body that is handed on has an example, and the partners that come along accept it', async () => {
  const handedOn = all.filter((row) => row.access === 'forward' && isUnsafe(row.method))
  expect(HANDED_ON.map(([name]) => name).toSorted()).toEqual(handedOn.map(({ name }) => name).toSorted())
  const database = await cloneDatabase()
  const platformKey = 'platform-key-of-the-examples'
  const common = {
    databaseUrl: database.url,
    port: 0,
    platformKey,
    webhookSecret: SECRETS[0],
    noticeUrl: null,
    log: makeLog('fatal'),
  }
  const payment = await startReferencePaymentPartner(common)
  const fulfillment = await startReferenceFulfillmentPartner(common)
  const env = { ...settingsOf({ url: payment.url, platformKey }), FULFILLMENT_PARTNER_URL: fulfillment.url }
  const { harness, stop } = await startHarness({ database, env })
  try {
    const api = harness.acme
    for (const module of ['payment', 'fulfillment'] as const) await enableModule(api, module)
    const made: Made = {}
    const answers: unknown[] = []
    for (const [name, kind = '', param = 'id'] of HANDED_ON) {
      const row = handedOn.find((one) => one.name === name)
      if (row === undefined) throw new Error(`no route ${name}`)
      note((await BEFORE[name]?.(api)) ?? {}, made)
      const text = JSON.stringify(EXAMPLES[name]).replaceAll(
        /"([a-z]{3})_\w{26}"/g,
        (_, prefix: string) => `"${made[prefix]}"`,
      )
      const body = { ...JSON.parse(text), ...(name === 'licenses.validate' ? { key: made['key'] } : {}) }
      const answer = await send(api, row, { params: { [param]: made[kind] ?? '' }, body })
      answers.push([name, answer.status < 300, answer.error])
      note(answer, made)
    }
    expect(answers).toEqual(HANDED_ON.map(([name]) => [name, true, null]))
  } finally {
    await payment.close()
    await fulfillment.close()
    await stop()
  }
})

/** Remembers every id of an answer by its prefix, and a license's key. */
function note({ data }: { data?: unknown }, made: Made) {
  for (const [, id = '', kind = ''] of JSON.stringify(data ?? null).matchAll(
    /"(?:id|priceId)":"(([a-z]{3})_\w{26})"/g,
  )) {
    made[kind] = id
  }
  const { key } = (data ?? {}) as { key?: string }
  if (key !== undefined) made['key'] = key
}

test('every request body of the document has an example', () => {
  const { paths } = documentAt('http://localhost') as unknown as {
    paths: Record<
      string,
      Record<string, { operationId: string; requestBody?: { content: Record<string, { example?: object }> } }>
    >
  }
  const without = Object.values(paths)
    .flatMap((operations) => Object.values(operations))
    .filter(
      ({ requestBody }) => requestBody && requestBody.content['application/json']?.example === undefined,
    )
  expect(without.map(({ operationId }) => operationId)).toEqual([])
  const names = new Set<string>(all.map(({ name }) => name))
  expect(Object.keys(EXAMPLES).filter((name) => !names.has(name))).toEqual([])
})

/** The token of the link in the mail to an address. */
async function tokenOf(email: string, link = '\\w+') {
  const own = (await mailsTo(email)).join('\n')
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
