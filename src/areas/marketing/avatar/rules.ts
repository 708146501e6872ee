import { malformed } from '../../../core/errors.ts'

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

/**
 * Reads the key of a picture. A key can neither be an address nor lead out of its folder at the partner (B-avatar-1).
 */
export function keyIn(search: string): string {
  const key = new URLSearchParams(search).get('key') ?? ''
  const length = [...key].length
  if (length < 1 || length > 300) throw malformed('key', 'key must have 1 to 300 characters')
  const isAddress = /^[a-z][a-z0-9+.-]*:|^[\\/]{2}/i.test(key)
  if (isAddress)
    throw malformed('key', 'key must name a picture at the marketing partner; it cannot be an address')
  // oxlint-disable-next-line no-control-regex -- control characters are the target
  const isStrange = key.includes('..') || /[\u0000-\u001f\u007f\\]/.test(key)
  if (isStrange) throw malformed('key', 'key must not contain ".." or control characters')
  return key
}
