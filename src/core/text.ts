/**
 * The LIKE pattern that finds `text` anywhere: the wildcards of LIKE are escaped, because a cashier types them as
 * plain characters.
 */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

const MASK = '****'

/** A masked secret: its last 4 characters, fewer for a short one so that most of it stays hidden. */
export function maskText(secret: string): string {
  if (secret.startsWith(MASK)) return secret
  const shown = Math.min(4, Math.floor(secret.length / 2))
  return MASK + secret.slice(secret.length - shown)
}

/** An empty text in a request means null. */
export const emptyToNull = (text: string | null | undefined): string | null => text || null

/** A patch in which `fields` that were sent empty are null; fields that were not sent stay absent. */
export function clearEmpty<T extends object>(patch: T, fields: readonly (keyof T)[]): T {
  const emptied = fields.filter((field) => patch[field] === '').map((field) => [field, null])
  return { ...patch, ...Object.fromEntries(emptied) }
}

/** Accents of Latin, Greek and Cyrillic letters; marks of other scripts are part of their letters. */
const ACCENTS = /[\u0300-\u036f]/g

/**
 * Lower-case letters and digits of any script, joined by single dashes and cut to `most` characters; may be empty.
 */
export function slugOf(text: string, most: number): string {
  const plain = text.normalize('NFKD').replaceAll(ACCENTS, '').normalize('NFC').toLowerCase()
  const dashed = plain.replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-').replace(/^-/, '')
  return [...dashed].slice(0, most).join('').replace(/-$/, '')
}
