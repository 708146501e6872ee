import { createHmac } from 'node:crypto'
import { addMs, isSameText } from 'kasir/partner-tools'
import type { Keys } from '../../kit/workspaces/keys.ts'

const LIFETIME_MS = 10 * 60_000
export const MEDIA = '/media'

type SignedAvatar = { workspaceId: string; key: string; expires: string }

const signatureOf = (keys: Keys, { workspaceId, key, expires }: SignedAvatar) =>
  createHmac('sha256', keys.keyOf(workspaceId)).update(`avatar\n${expires}\n${key}`).digest('base64url')

/** Returns a signed address that opens one image for some minutes. */
export function signedPath(keys: Keys, workspaceId: string, key: string, now: string) {
  const expires = addMs(now, LIFETIME_MS)
  const query = new URLSearchParams({
    key,
    expires,
    signature: signatureOf(keys, { workspaceId, key, expires }),
  })
  return { url: `${MEDIA}/${workspaceId}?${query.toString()}`, expiresAt: expires }
}

export function isSigned(
  keys: Keys,
  { signature, ...signed }: SignedAvatar & { signature: string },
  now: string,
) {
  const right = signatureOf(keys, signed)
  return isSameText(signature, right) && now < signed.expires
}
