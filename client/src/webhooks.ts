import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import type { EventBodies } from './events.ts'

/** A received event, discriminated by `type`. */
export type KasirEvent = EventBodies[keyof EventBodies]
/** An event type that this version of the client does not know yet. */
export type UnknownEvent = { type: string & {}; data: unknown }

/** The request is not verified: not from this service, altered, or older than five minutes. */
export class WebhookError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'WebhookError'
  }
}

type HeaderSource = Headers | Record<string, string | string[] | undefined>

/**
 * Verifies that a request comes from the service and returns its event. `rawBody` is the unparsed body, text or bytes.
 * `secrets` are the endpoint's `whsec_…` secrets, two during a replacement. Throws a WebhookError otherwise; answer 400.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: HeaderSource,
  secrets: string | readonly string[],
): KasirEvent | UnknownEvent {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new WebhookError(
      'verifyWebhook needs the unparsed body, text or bytes: a parsed body no longer has the signed bytes. In Express use express.raw({ type: "application/json" }) on this route',
    )
  }
  const body = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)
  const sent = headersOf(headers)
  const list = typeof secrets === 'string' ? [secrets] : secrets
  if (list.length === 0) throw new WebhookError('verifyWebhook needs the secret of the endpoint, whsec_…')
  let cause: unknown
  for (const secret of list) {
    try {
      return new Webhook(secret).verify(body, sent) as KasirEvent
    } catch (error) {
      cause = error
    }
  }
  const why =
    cause instanceof WebhookVerificationError ? cause.message : 'the secret is not a whsec_… of Kasir'
  throw new WebhookError(`This request is not verified as coming from the service: ${why}`, { cause })
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

function headersOf(headers: HeaderSource): Record<string, string> {
  const found = (name: string) => {
    if (headers instanceof Headers) return headers.get(name)
    const key = Object.keys(headers).find((one) => one.toLowerCase() === name)
    return key === undefined ? null : [headers[key] ?? []].flat().join(' ')
  }
  return Object.fromEntries(NAMES.map((name) => [name, found(name) ?? '']))
}
