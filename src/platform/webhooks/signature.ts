import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const PREFIX = 'whsec_'

/** A signing secret as integrators keep it: 32 random bytes in base64 after its prefix (Standard Webhooks). */
export const newSigningSecret = (): string => PREFIX + randomBytes(32).toString('base64')

/** The headers that prove who sent a body and when; the id is the event's, the same at every attempt (B-webhook-2). */
export function signedHeaders(
  secret: string,
  id: string,
  atMs: number,
  body: string,
): Record<string, string> {
  const seconds = Math.floor(atMs / 1000)
  const signature = createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(`${id}.${seconds}.${body}`)
    .digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}

/** Allowed clock difference to a sender: an older notification may be a replay (Standard Webhooks). */
const TOLERANCE_MS = 5 * 60_000

type SignedRequest = { rawBody: Buffer; headers: IncomingHttpHeaders; nowMs: number }

/** Whether a notification is signed with one of the secrets; constant-time for a signature of the right length. */
export function isSigned(secrets: readonly string[], { rawBody, headers, nowMs }: SignedRequest): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(id)) return false
  if (typeof seconds !== 'string' || !/^\d{1,12}$/.test(seconds)) return false
  if (Math.abs(nowMs - Number(seconds) * 1000) > TOLERANCE_MS) return false
  if (typeof signatures !== 'string' || signatures.length > 2_000) return false
  const sent = signatures
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [Buffer.from(one.slice(3))] : []))
  const right = secrets.map((secret) =>
    Buffer.from(
      createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
        .update(`${id}.${seconds}.`)
        .update(rawBody)
        .digest('base64'),
    ),
  )
  return right.some((one) => sent.some((other) => one.length === other.length && timingSafeEqual(one, other)))
}

/** Where the encrypted secret of an endpoint is stored. */
export const secretLocation = (accountId: string, id: string) =>
  ({ table: 'webhook_subscriptions', column: 'secret', accountId, row: id }) as const
