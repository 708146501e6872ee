import { clockOf, dayOf } from '../../core/time.ts'

/** Whole rupiah as Indonesia writes it: Rp 12.500, and -Rp 12.500 for what goes the other way. */
export const rupiah = (amount: number): string =>
  `${amount < 0 ? '-' : ''}Rp ${String(Math.abs(amount)).replaceAll(/\B(?=(\d{3})+$)/g, '.')}`

/** A rate of basis points as a percentage without trailing zeros: 1100 is 11%, 1050 is 10,5%. */
export function percent(bps: number, decimal: string): string {
  const fraction = String(bps % 100)
    .padStart(2, '0')
    .replace(/0+$/, '')
  return `${Math.floor(bps / 100)}${fraction === '' ? '' : decimal + fraction}%`
}

/**
 * A tax number as it is printed on tax cards: 01.234.567.8-901.234 with 15 digits, plain with the 16 that are given
 * out today.
 */
export const npwpText = (digits: string): string =>
  digits.replace(/^(\d\d)(\d{3})(\d{3})(\d)(\d{3})(\d{3})$/, '$1.$2.$3.$4-$5.$6')

/** DD/MM/YYYY HH:MM as the clock on the wall of the outlet showed it. */
export function localTime(instant: string, timezone: string): string {
  const [year, month, day] = dayOf(instant, timezone).split('-')
  return `${day}/${month}/${year} ${clockOf(instant, timezone)}`
}

// Control characters would reach the printer as commands (ESC p opens the drawer); line ends would end a line early.
const BREAKS = /[\p{Cc}\p{Z}]+/gu
// Marks of direction turn figures around; joiners, fillers and the blank of Braille take room that nobody sees.
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu
// No script needs more than three marks on a letter; a pile of them runs over the lines above and below.
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu

/** Words of ASCII with one space between them, as nearly every name is: there is nothing to clean. */
const CLEAN = /^(?:[!-~]+(?: [!-~]+)*)?$/
export const isClean = (text: string): boolean => CLEAN.test(text)

/** One printable line: composed, visible, with nothing in it that a printer or a browser would obey. */
export const clean = (text: string): string =>
  isClean(text)
    ? text
    : text
        .replaceAll(INVISIBLE, '')
        .normalize('NFC')
        .replaceAll(BREAKS, ' ')
        .replaceAll(PILED_MARKS, '$1')
        .trim()

/** The printable lines of a text that may hold line breaks, empty ones left out. */
export const cleanLines = (text: string | null): string[] =>
  (text ?? '')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(clean)
    .filter((line) => line !== '')
