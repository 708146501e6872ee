import { malformed } from '../../../core/errors.ts'

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

/** A key names a picture at the partner, and can neither leave its place there nor be an address (B-avatar-1). */
export function keyIn(search: string): string {
  const key = new URLSearchParams(search).get('key') ?? ''
  const length = [...key].length
  if (length < 1 || length > 300) throw malformed('key', 'key must have 1 to 300 characters')
  const isAddress = /^[a-z][a-z0-9+.-]*:|^[\\/]{2}/i.test(key)
  if (isAddress) throw malformed('key', 'key names a picture at the marketing partner; it is no address')
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  const isStrange = key.includes('..') || /[\u0000-\u001f\u007f\\]/.test(key)
  if (isStrange) throw malformed('key', 'key must not have ".." or control characters in it')
  return key
}
