import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { verifyWebhook, WebhookError } from '../../client/src/webhooks.ts'

const OLD = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const NEW = `whsec_${Buffer.alloc(32, 2).toString('base64')}`
const BODY = JSON.stringify({
  id: 'evt_1',
  type: 'service.sale.completed.v1',
  timestamp: '2026-01-01T00:00:00.000Z',
  accountId: 'acc_1',
  data: { sale: { id: 'sal_1', total: 15_000, note: 'Gula é' } },
})

function signed(secret: string, body = BODY, at = new Date()) {
  const id = 'evt_1'
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
}

test('an event that the official library signed is typed by its type, from text, bytes and any kind of headers', () => {
  const headers = signed(OLD)
  const shapes = [
    headers,
    new Headers(headers),
    {
      'Webhook-Id': headers['webhook-id'],
      'Webhook-Timestamp': headers['webhook-timestamp'],
      'Webhook-Signature': [headers['webhook-signature']],
    },
  ]
  for (const shape of shapes) {
    for (const body of [BODY, Buffer.from(BODY), new TextEncoder().encode(BODY)]) {
      const event = verifyWebhook(body, shape, OLD)
      expect(event.type === 'service.sale.completed.v1' && 'sale' in (event.data as object)).toBe(true)
    }
  }
})

test('while a secret is replaced both are good, and no third', () => {
  expect(verifyWebhook(BODY, signed(OLD), [NEW, OLD]).type).toBe('service.sale.completed.v1')
  expect(verifyWebhook(BODY, signed(NEW), [NEW, OLD]).type).toBe('service.sale.completed.v1')
  const third = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
  expect(() => verifyWebhook(BODY, signed(third), [NEW, OLD])).toThrow(WebhookError)
})

test('one byte changed anywhere is refused, in the body and in what is signed with it', () => {
  const headers = signed(OLD)
  const bytes = Buffer.from(BODY)
  for (let at = 0; at < bytes.length; at += 1) {
    const altered = Buffer.from(bytes)
    altered[at] = (altered[at] ?? 0) ^ 1
    expect(() => verifyWebhook(altered, headers, OLD), `byte ${at}`).toThrow(WebhookError)
  }
  for (const [name, value] of Object.entries(headers)) {
    const last = value.length - 3
    const altered = value.slice(0, last) + (value[last] === '1' ? '2' : '1') + value.slice(last + 1)
    expect(() => verifyWebhook(BODY, { ...headers, [name]: altered }, OLD), name).toThrow(WebhookError)
  }
})

test('an event of five minutes ago, no headers, no secret and a parsed body are refused with a sentence', () => {
  const sentenceOf = (work: () => unknown) => {
    try {
      return work()
    } catch (error) {
      return (error as Error).message
    }
  }
  expect([
    sentenceOf(() => verifyWebhook(BODY, signed(OLD, BODY, new Date(Date.now() - 310_000)), OLD)),
    sentenceOf(() => verifyWebhook(BODY, {}, OLD)),
    sentenceOf(() => verifyWebhook(BODY, signed(OLD), [])),
    sentenceOf(() => verifyWebhook(BODY, signed(OLD), 'kasir_sk_not_a_secret')),
    sentenceOf(() => verifyWebhook(JSON.parse(BODY), signed(OLD), OLD)),
  ]).toEqual([
    'This request is not verified as coming from the service: Message timestamp too old',
    'This request is not verified as coming from the service: Missing required headers',
    'verifyWebhook needs the secret of the endpoint, whsec_…',
    expect.stringContaining('This request is not verified as coming from the service: '),
    'verifyWebhook needs the unparsed body, text or bytes: a parsed body no longer has the signed bytes. In Express use express.raw({ type: "application/json" }) on this route',
  ])
})

test('an event of a later version passes with its data as it is', () => {
  const body = JSON.stringify({ id: 'evt_2', type: 'service.robot.hired.v1', data: { robot: 1 } })
  expect(verifyWebhook(body, signed(OLD, body), OLD)).toMatchObject({
    type: 'service.robot.hired.v1',
    data: { robot: 1 },
  })
})
