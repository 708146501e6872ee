import { createHmac } from 'node:crypto'
import { isSameText } from '../../../core/same-text.ts'
import { addMs } from '../../../core/time.ts'
import type { Keys } from '../../kit/workspaces/keys.ts'

const LIFETIME_MS = 10 * 60_000
export const MEDIA = '/media'

type Signed = { workspaceId: string; key: string; expires: string }

const signatureOf = (keys: Keys, { workspaceId, key, expires }: Signed) =>
  createHmac('sha256', keys.keyOf(workspaceId)).update(`avatar\n${expires}\n${key}`).digest('base64url')

/** An address that opens one image for some minutes. */
export function signedPath(keys: Keys, workspaceId: string, key: string, now: string) {
  const expires = addMs(now, LIFETIME_MS)
  const query = new URLSearchParams({
    key,
    expires,
    signature: signatureOf(keys, { workspaceId, key, expires }),
  })
  return { url: `${MEDIA}/${workspaceId}?${query.toString()}`, expiresAt: expires }
}

export function isSigned(keys: Keys, { signature, ...signed }: Signed & { signature: string }, now: string) {
  const right = signatureOf(keys, signed)
  return isSameText(signature, right) && now < signed.expires
}
