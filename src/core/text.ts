/** The pattern of LIKE that finds `text` anywhere: what LIKE reads as signs of its own, a cashier types as letters. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** A text that is sent empty means none. */
export const emptyToNull = (text: string | null | undefined): string | null => text || null

/** A patch with `fields` cleared where they were sent empty; what was not sent stays out of it. */
export function clearEmpty<T extends object>(patch: T, fields: readonly (keyof T)[]): T {
  const emptied = fields.filter((field) => patch[field] === '').map((field) => [field, null])
  return { ...patch, ...Object.fromEntries(emptied) }
}

/** Accents of Latin, Greek and Cyrillic letters; marks of other scripts are part of their letters. */
const ACCENTS = /[\u0300-\u036f]/g

/** Lower-case letters and digits of any script with single dashes between them, cut to `most` characters; may be empty. */
export function slugOf(text: string, most: number): string {
  const plain = text.normalize('NFKD').replaceAll(ACCENTS, '').normalize('NFC').toLowerCase()
  const dashed = plain.replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-').replace(/^-/, '')
  return [...dashed].slice(0, most).join('').replace(/-$/, '')
}
