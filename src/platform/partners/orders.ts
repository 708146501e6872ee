import { createHash } from 'node:crypto'

/**
 * The order id of a session: its readable workspace id, and a part unique within that workspace. The signature of
 * Midtrans covers it, so a notice cannot be moved to another workspace. At most 50 letters, digits and `-_`.
 */
export const orderIdOf = (accountId: string, key: string): string =>
  `${accountId.slice('acc_'.length)}-${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`

/** The workspace of an order; null if the order was not created here. */
export const ownerOf = (orderId: string): string | null => {
  const ulid = /^([0-9A-HJKMNP-TV-Z]{26})-[\w-]{22}$/.exec(orderId)?.[1]
  return ulid === undefined ? null : `acc_${ulid}`
}
