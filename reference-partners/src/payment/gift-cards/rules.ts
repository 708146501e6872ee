import { randomBytes } from 'node:crypto'
import { malformed } from 'kasir/partner-tools'
import type { GiftCard } from './schema.ts'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUPS = /.{4}(?=.)/g

/** The form in which codes are compared: upper case, without dashes. */
export const codeKeyOf = (code: string): string => code.replaceAll('-', '').toUpperCase()

/** Normalizes a chosen code for storage. Throws 400 param `code` unless it has 4 to 32 letters and digits. */
export function chosenCode(code: string): string {
  if (/^[A-Za-z0-9-]+$/.test(code) && /^.{4,32}$/.test(codeKeyOf(code))) return code.toUpperCase()
  throw malformed('code', 'A code must have 4 to 32 letters and digits; dashes between them are allowed')
}

/** 80 random bits as 16 characters in groups of 4. */
export const generateCode = (): string =>
  Array.from(randomBytes(16), (byte) => CROCKFORD.charAt(byte & 31))
    .join('')
    .replaceAll(GROUPS, '$&-')

export const statusOf = ({
  balance,
  voidedAt,
}: {
  balance: number
  voidedAt: string | null
}): GiftCard['status'] => (voidedAt === null ? (balance === 0 ? 'REDEEMED' : 'ACTIVE') : 'VOIDED')
