/** The pattern of LIKE that finds `text` anywhere: what LIKE reads as signs of its own, a cashier types as letters. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** A text that is sent empty means none. */
export const emptyToNull = (text: string | null | undefined): string | null => text || null

/** A patch with `fields` cleared where they were sent empty; what was not sent stays out of it. */
export function clearEmpty<T extends object>(patch: T, fields: readonly (keyof T)[]): T {
  const emptied = fields.filter((field) => patch[field] === '').map((field) => [field, null])
  return { ...patch, ...Object.fromEntries(emptied) }
}
