import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** A signing secret as integrators keep it: 32 random bytes in base64 behind its prefix (Standard Webhooks). */
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

/** Where the secret of an endpoint is sealed. */
export const placeOfSecret = (accountId: string, id: string) =>
  ({ table: 'webhook_subscriptions', column: 'secret', accountId, row: id }) as const
