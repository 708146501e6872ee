import { afterAll, describe, expect, test } from 'vitest'
import { newSigningSecret, signedHeaders } from '../../../src/platform/webhooks/signature.ts'
import { notify } from '../../support/notices.ts'
import { NO_FULFILLMENT, SECRETS, settingsOf, startPartner } from '../../support/partner.ts'
import { address, as, deps, startHarness, useService } from '../../support/service.ts'

const partner = await startPartner()
useService({ env: settingsOf(partner) })
afterAll(() => partner.close())

const body = { type: 'something.happened.v1', timestamp: '2026-03-01T00:00:00Z', data: {} }
const REFUSED = [401, 'INVALID_SIGNATURE']
const ACCEPTED = [200, undefined]
const MINUTE_MS = 60_000

describe('a notice of a partner', () => {
  test('signed with either secret is received, whatever it is about', async () => {
    for (const secret of SECRETS) {
      expect(await notify(body, { secret })).toEqual(ACCEPTED)
      expect(await notify(body, { secret, path: 'fulfillment_provider' })).toEqual(ACCEPTED)
    }
    const answer = await as(null).raw('POST', '/webhooks/payment_provider', JSON.stringify(body), {
      'content-type': 'application/json',
      ...signedHeaders(SECRETS[0], 'msg_1', Date.now(), JSON.stringify(body)),
    })
    expect(answer.data).toEqual({ received: true })
  })

  test('signed with another secret, too early or too late is 401', async () => {
    expect(await notify(body, { secret: newSigningSecret() })).toEqual(REFUSED)
    expect(await notify(body, { secret: newSigningSecret(), path: 'fulfillment_provider' })).toEqual(REFUSED)
    for (const minutes of [-6, 6]) {
      expect(await notify(body, { atMs: Date.now() + minutes * MINUTE_MS })).toEqual(REFUSED)
    }
    for (const minutes of [-4, 4]) {
      expect(await notify(body, { atMs: Date.now() + minutes * MINUTE_MS })).toEqual(ACCEPTED)
    }
  })

  const text = JSON.stringify(body)
  const good = signedHeaders(SECRETS[0], 'msg_1', Date.now(), text)
  const { 'webhook-signature': signature = '' } = good
  test.each<[string, Record<string, string>, string?]>([
    ['no signature', { 'webhook-signature': '' }],
    ['the signature of another version', { 'webhook-signature': signature.replace('v1,', 'v2,') }],
    ['half a signature', { 'webhook-signature': signature.slice(0, 20) }],
    ['another id', { 'webhook-id': 'msg_2' }],
    ['another time', { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + 1) }],
    ['a time that is no number', { 'webhook-timestamp': 'now' }],
    ['another body', {}, text.replace('happened', 'vanished')],
    ['the same JSON in other bytes', {}, `${text} `],
    ['a body that is no JSON', {}, '{"type":'],
  ])('with %s is 401', async (_, headers, sent = text) => {
    const answer = await fetch(`${address()}/api/v1/webhooks/payment_provider`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...good, ...headers },
      body: sent,
    })
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual(
      REFUSED,
    )
  })

  test('with a right signature among wrong ones is received', async () => {
    const answer = await fetch(`${address()}/api/v1/webhooks/payment_provider`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...good,
        'webhook-signature': `v1,AAAA v1a,x ${signature}`,
      },
      body: text,
    })
    expect(answer.status).toBe(200)
  })

  test('that is signed but no notice is 400: the partner should hear of it', async () => {
    expect(await notify('[]')).toEqual([400, 'VALIDATION_ERROR'])
    expect(await notify({ type: 5, data: {} })).toEqual([400, 'VALIDATION_ERROR'])
  })

  test.each([
    [
      'of an unknown workspace',
      { id: 's', amount: 1, currency: 'IDR', metadata: { accountId: 'acc_x', tier: 'growth' } },
    ],
    ['without a session', undefined],
    ['whose session has no metadata', { id: 's', amount: 1, currency: 'IDR' }],
    ['whose amount is a text', { id: 's', amount: '1', currency: 'IDR', metadata: {} }],
  ])('%s is received and does nothing', async (_, session) => {
    const notice = {
      type: 'vendor.checkout_session.completed.v1',
      data: { workspaceExternalId: null, session },
    }
    expect(await notify(notice)).toEqual(ACCEPTED)
    const { rows } = await deps().pool.query('select count(*)::int as n from partner_notices')
    expect(rows).toEqual([{ n: 0 }])
  })
})

test('the last part of the address is a setting, and another word is 404', async () => {
  const env = { ...settingsOf(partner), PAYMENT_PROVIDER_SLUG: 'midtrans' }
  const { harness, stop } = await startHarness({ env })
  try {
    expect(await notify(body, { to: harness.address, path: 'midtrans' })).toEqual(ACCEPTED)
    expect(await notify(body, { to: harness.address })).toEqual([404, 'NOT_FOUND'])
    const document = (await (await fetch(`${harness.address}/api/v1/openapi.json`)).json()) as {
      paths: object
    }
    expect(Object.keys(document.paths)).toContain('/api/v1/webhooks/midtrans')
  } finally {
    await stop()
  }
})

test('without a partner every notice is 401', async () => {
  const { harness, stop } = await startHarness({
    env: {
      ...NO_FULFILLMENT,
      PAYMENT_PARTNER_URL: '',
      PAYMENT_PARTNER_KEY: '',
      PAYMENT_PARTNER_WEBHOOK_SECRET: '',
    },
  })
  try {
    for (const path of ['payment_provider', 'fulfillment_provider']) {
      expect(await notify(body, { to: harness.address, path })).toEqual(REFUSED)
    }
  } finally {
    await stop()
  }
})
