import { newId } from '../../src/core/ids.ts'
import { signedHeaders } from '../../src/platform/webhooks/signature.ts'
import { SECRETS } from './partner.ts'
import { address } from './service.ts'

type Sent = { secret?: string; id?: string; atMs?: number; path?: string; to?: string }

/** Reports to the service as a partner does; answers status and error code. */
export async function notify(
  body: unknown,
  {
    secret = SECRETS[0],
    id = newId('event'),
    atMs = Date.now(),
    path = 'payment_provider',
    to = address(),
  }: Sent = {},
): Promise<[number, string | undefined]> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${to}/api/v1/webhooks/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signedHeaders(secret, id, atMs, text) },
    body: text,
  })
  const { error } = (await response.json()) as { error: { code: string } | null }
  return [response.status, error?.code]
}
