import { malformed } from '../../../core/errors.ts'
import type { Actor } from '../../../platform/scope.ts'

/** A credential may name this many unknown codes in the window, then it has to wait (B-card-4). */
export const GUESSES = 20
export const GUESS_WINDOW_MS = 10 * 60_000

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** What the partner says of a card of its own; `at` is its time. */
export type Known = { balance: number; status: 'ACTIVE' | 'REDEEMED' | 'VOIDED'; at: string }

/** How codes are compared: upper case, without dashes (B-card-2). */
export const codeKeyOf = (code: string): string => code.replaceAll('-', '').toUpperCase()

/** A code that a client chose, as it is stored; 400 param `code` outside 4 to 32 letters and digits (B-card-2). */
export function suppliedCode(code: string): string {
  if (!/^[A-Za-z0-9-]+$/.test(code) || !/^.{4,32}$/.test(codeKeyOf(code))) {
    throw malformed('code', 'A code must have 4 to 32 letters and digits; dashes between them are allowed')
  }
  return code.toUpperCase()
}

/** 80 random bits as 16 Crockford characters in groups of 4; `bytes` holds at least 10 of them. */
export function codeOf(bytes: Uint8Array): string {
  const bits = bytes.slice(0, 10).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
  const characters = Array.from({ length: 16 }, (_, index) =>
    CROCKFORD.charAt(Number((bits >> BigInt(75 - 5 * index)) & 31n)),
  )
  return [0, 4, 8, 12].map((start) => characters.slice(start, start + 4).join('')).join('-')
}

/**
 * Who sees whole codes of cards they did not ask for by code: owners, managers, and keys that may write. A code is
 * money, so cashiers, read-only keys and assistants see only its end (B-card-6).
 */
export const seesCodes = ({
  role,
  readOnly,
  delegation,
}: Pick<Actor, 'role' | 'readOnly' | 'delegation'>): boolean =>
  role !== 'CASHIER' && !readOnly && delegation === undefined

const MASK = '****'

/**
 * A code as it may be shown: its last 4 characters, fewer of a short one so that most of it stays hidden (B-card-6).
 * A masked code stays as it is.
 */
export function maskOf(code: string): string {
  if (code.startsWith(MASK)) return code
  const key = codeKeyOf(code)
  const shown = Math.min(4, Math.floor(key.length / 2))
  return MASK + key.slice(key.length - shown)
}
