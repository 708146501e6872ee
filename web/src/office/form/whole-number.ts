/** Digits alone, or groups of three behind one kind of separator: "1000", "1.000" and "1,000". */
const WHOLE = /^[-−]?(?:\d{1,15}|[1-9]\d{0,2}(?:(?:\.\d{3}){1,4}|(?:,\d{3}){1,4}))$/
const SEPARATORS = /[.,]/g

type InputChange = { inputType?: string; data?: string | null }

/** A digit was added or removed, unlike a paste, a typed separator, or a scanner that sets the field back. */
const isDigitChange = ({ inputType = '', data }: InputChange) =>
  /^(?:insertComposition|delete)/.test(inputType) || (inputType === 'insertText' && /^\d*$/.test(data ?? ''))

const separatorsIn = (text: string) => text.match(SEPARATORS)?.length ?? 0

/**
 * The whole number in a field after a change, null if there is none. `shown` is the text before the change, null if it
 * was no whole number. A key between the digits of "1.000" groups them again. A typed separator must become a
 * thousands separator: "1,5" is never read as 15.
 */
export function readWhole(text: string, change: object, shown: string | null): number | null {
  const isRegrouped = shown !== null && isDigitChange(change) && separatorsIn(text) <= separatorsIn(shown)
  const typed = isRegrouped ? text.replaceAll(SEPARATORS, '') : text.trim()
  if (!WHOLE.test(typed)) return null
  const digits = Number(typed.replaceAll(/\D/g, ''))
  return digits > 0 && /^[-−]/.test(typed) ? -digits : digits
}
