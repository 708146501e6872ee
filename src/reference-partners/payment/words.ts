/** What people read, in the language their browser asks for; Indonesian when it asks for neither. */
export const LANGUAGES = ['id', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** The first language of `Accept-Language` (RFC 9110, 12.5.4) that we speak. */
export const languageOf = (header: string | undefined): Language => {
  const asked = (header ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase())
  return (asked.find((one) => one === 'id' || one === 'en') as Language | undefined) ?? 'id'
}
