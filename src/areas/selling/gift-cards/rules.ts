import { assert } from '../../../core/assert.ts'
import { malformed } from '../../../core/errors.ts'
import { maskText } from '../../../core/text.ts'
import type { Actor } from '../../../platform/scope.ts'
import type { GiftCard } from './schema.ts'

/** Unknown codes that a credential can send in the window before it must wait (B-card-4). */
export const GUESSES = 20
export const GUESS_WINDOW_MS = 10 * 60_000

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The state of a card that the partner reports; `at` is the partner's time. */
export type PartnerCardState = { balance: number; status: 'ACTIVE' | 'REDEEMED' | 'VOIDED'; at: string }

/** Codes are compared in upper case and without dashes (B-card-2). */
export const codeKeyOf = (code: string): string => code.replaceAll('-', '').toUpperCase()

/**
 * Returns the stored form of a code that a client chose. Throws 400 param `code` unless it has 4 to 32 letters and
 * digits (B-card-2).
 */
export function suppliedCode(code: string): string {
  if (!/^[A-Za-z0-9-]+$/.test(code) || !/^.{4,32}$/.test(codeKeyOf(code))) {
    throw malformed('code', 'A code must have 4 to 32 letters and digits. Dashes between them are allowed')
  }
  return code.toUpperCase()
}

/** Returns 80 random bits as 16 Crockford characters in groups of 4. `bytes` has at least 10 bytes. */
export function codeOf(bytes: Uint8Array): string {
  const bits = bytes.slice(0, 10).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
  const characters = Array.from({ length: 16 }, (_, index) =>
    CROCKFORD.charAt(Number((bits >> BigInt(75 - 5 * index)) & 31n)),
  )
  return [0, 4, 8, 12].map((start) => characters.slice(start, start + 4).join('')).join('-')
}

/**
 * Returns true if the actor can see whole codes: owners, managers, and keys with write access. A code is as good as
 * money, so cashiers, read-only keys and assistants see only its end, unless they send the code themselves
 * (B-card-6).
 */
export const canSeeCodes = ({
  role,
  readOnly,
  delegation,
}: Pick<Actor, 'role' | 'readOnly' | 'delegation'>): boolean =>
  role !== 'CASHIER' && !readOnly && delegation === undefined

/** Masks a code for display (B-card-6). A masked code does not change. */
export const maskOf = (code: string): string => maskText(codeKeyOf(code))

/** Masks the code of a card for events, whose readers must not be able to spend it (B-card-6, B-event-2). */
export function masked(card: GiftCard | undefined): GiftCard {
  assert(card, 'a card that has just changed exists')
  return { ...card, code: maskOf(card.code) }
}
