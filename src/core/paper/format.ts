import { clockOf, dayOf } from '../time.ts'

/** Whole rupiah in Indonesian notation: Rp 12.500, and -Rp 12.500 for a negative amount. */
export const rupiah = (amount: number): string =>
  `${amount < 0 ? '-' : ''}Rp ${String(Math.abs(amount)).replaceAll(/\B(?=(\d{3})+$)/g, '.')}`

/** A rate of basis points as a percentage without trailing zeros: 1100 is 11%, 1050 is 10,5%. */
export function percent(bps: number, decimal: string): string {
  const fraction = String(bps % 100)
    .padStart(2, '0')
    .replace(/0+$/, '')
  return `${Math.floor(bps / 100)}${fraction === '' ? '' : decimal + fraction}%`
}

/** A tax number as tax cards show it: 01.234.567.8-901.234 with 15 digits, plain with the 16 digits issued today. */
export const npwpText = (digits: string): string =>
  digits.replace(/^(\d\d)(\d{3})(\d{3})(\d)(\d{3})(\d{3})$/, '$1.$2.$3.$4-$5.$6')

/** DD/MM/YYYY HH:MM in the outlet's local time. */
export function localTime(instant: string, timezone: string): string {
  const [year, month, day] = dayOf(instant, timezone).split('-')
  return `${day}/${month}/${year} ${clockOf(instant, timezone)}`
}

// Control characters would reach the printer as commands (ESC p opens the drawer); line ends would end a line early.
const BREAKS = /[\p{Cc}\p{Z}]+/gu
// Direction marks reorder digits; joiners, fillers and the Braille blank take space without being visible.
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu
// No script needs more than three marks on a letter; a longer pile overlaps the lines above and below.
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu

/** ASCII words separated by one space, as nearly every name is: such a text needs no cleaning. */
const CLEAN = /^(?:[!-~]+(?: [!-~]+)*)?$/
export const isClean = (text: string): boolean => CLEAN.test(text)

/** One printable line: composed, visible, and without characters that control a printer or a browser. */
export const clean = (text: string): string =>
  isClean(text)
    ? text
    : text
        .replaceAll(INVISIBLE, '')
        .normalize('NFC')
        .replaceAll(BREAKS, ' ')
        .replaceAll(PILED_MARKS, '$1')
        .trim()

/** The printable lines of a text that may contain line breaks, without the empty ones. */
export const cleanLines = (text: string | null): string[] =>
  (text ?? '')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(clean)
    .filter((line) => line !== '')
