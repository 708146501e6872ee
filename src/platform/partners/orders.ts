import { createHash } from 'node:crypto'

/**
 * The order of a session: its workspace, readable, and what tells it from the others of that workspace. What Midtrans signs
 * covers it, so a notice cannot be turned into one of another workspace. At most 50 of letters, digits and `-_`.
 */
export const orderIdOf = (accountId: string, key: string): string =>
  `${accountId.slice('acc_'.length)}-${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`

/** The workspace of an order; null for one that was not made here. */
export const ownerOf = (orderId: string): string | null => {
  const ulid = /^([0-9A-HJKMNP-TV-Z]{26})-[\w-]{22}$/.exec(orderId)?.[1]
  return ulid === undefined ? null : `acc_${ulid}`
}
