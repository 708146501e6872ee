const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

/** A new Idempotency-Key. `crypto.randomUUID` is missing on plain http, `getRandomValues` never is. */
export const newKey = (): string =>
  Array.from(random(16), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Without letters that look like a digit. 32 of them, so that every byte falls on one evenly. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** What distinguishes the sales of this browser from those of any other. */
export const newTag = (): string => Array.from(random(8), (byte) => LETTERS[byte % LETTERS.length]).join('')
