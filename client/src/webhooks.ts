import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import type { EventBodies } from './events.ts'

/** An event as it arrives, told apart by `type`. */
export type KasirEvent = EventBodies[keyof EventBodies]
/** One that this version of the client does not know yet. */
export type UnknownEvent = { type: string & {}; data: unknown }

/** The signature does not fit: not from this service, altered, or older than five minutes. */
export class WebhookError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'WebhookError'
  }
}

type HeaderSource = Headers | Record<string, string | string[] | undefined>

/**
 * The event of a request, proven to come from the service. `rawBody` is the body as it came, text or bytes; `secrets` are the
 * `whsec_…` of the endpoint, two while it is being replaced. Throws a WebhookError for anything else: answer 400 then.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: HeaderSource,
  secrets: string | readonly string[],
): KasirEvent | UnknownEvent {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new WebhookError(
      'verifyWebhook needs the body as it came, text or bytes: a parsed one no longer has the bytes that were signed. In Express use express.raw({ type: "application/json" }) on this route',
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
  throw new WebhookError(`This request is not proven to come from the service: ${why}`, { cause })
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
