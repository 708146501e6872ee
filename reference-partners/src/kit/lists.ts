import { malformed } from 'kasir/partner-tools'

/**
 * Lists start with the newest row. An id contains its time, so the cursor is the last id of a page. One of another
 * list is 400 with param `cursor`.
 */
export function afterOf(cursor: string | undefined, prefix: string): string | null {
  if (cursor === undefined) return null
  const id = Buffer.from(cursor, 'base64url').toString()
  if (new RegExp(`^${prefix}_[0-9A-Z]{26}$`).test(id) && cursorOf({ id }) === cursor) return id
  throw malformed('cursor', 'This cursor was not issued by this list; start again without it')
}

export const cursorOf = ({ id }: { id: string }): string => Buffer.from(id).toString('base64url')
