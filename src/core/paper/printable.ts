import CodepageEncoder, { type Codepage } from '@point-of-sale/codepage-encoder'
import type { CodePage } from '../printing.ts'

/** A byte of the upper half of a code page, and the number that selects the page with ESC t. */
export type Glyph = { page: number; byte: number }

/**
 * Code pages with the same number at all makers of ESC/POS printers: western Europe, Cyrillic, central Europe. The
 * first page with the character is used.
 */
export const PAGES: readonly (readonly [number: number, name: Codepage])[] = [
  [16, 'windows1252'],
  [17, 'cp866'],
  [18, 'cp852'],
]
export const FIRST_PAGE = 16

const SPACES_AND_FORMATS = /[\p{C}\p{Z}]/u

type Glyphs = ReadonlyMap<string, Glyph>
/** Only bytes from 0x80 on: below that, code pages have symbols where a printer reads commands. */
const glyphsOf = (pages: typeof PAGES): Glyphs =>
  new Map(
    pages.toReversed().flatMap(([page, name]) =>
      CodepageEncoder.getEncoding(name).codepoints.flatMap((codePoint, byte) => {
        const character = String.fromCodePoint(codePoint)
        const used = byte >= 0x80 && codePoint !== 0xfffd && !SPACES_AND_FORMATS.test(character)
        return used ? [[character, { page, byte }] as const] : []
      }),
    ),
  )

/** The first page that a printer of this kind is set to; null if it has none beside ASCII. */
export const FIRST_PAGES: Readonly<Record<CodePage, number | null>> = {
  WPC1252: FIRST_PAGE,
  PC437: 0,
  ASCII: null,
}
const GLYPHS: Readonly<Record<CodePage, Glyphs>> = {
  WPC1252: glyphsOf(PAGES),
  PC437: glyphsOf([[0, 'cp437']]),
  ASCII: glyphsOf([]),
}

/** Replacements for characters that no page has and that do not decompose into printable ones. */
const STAND_INS: Readonly<Record<string, string>> = {
  '←': '<-',
  '→': '->',
  '↔': '<->',
  '⇒': '=>',
  '‐': '-',
  '‒': '-',
  '―': '-',
  '−': '-',
  '⁄': '/',
  '′': "'",
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
  '★': '*',
  '☆': '*',
  '✓': 'v',
  ħ: 'h',
  ı: 'i',
  ŀ: 'l',
  ŋ: 'n',
}
const UNKNOWN = '?'
const MARK = /\p{M}/u

/** True for a text of ASCII alone, without control characters. */
export const isPlain = (text: string): boolean => /^[ -~]*$/.test(text)
const hasByte = (character: string, glyphs: Glyphs): boolean =>
  (character >= ' ' && character <= '~') || glyphs.has(character)

/** The position of the character on a page; null for ASCII, which is the same byte on all of them. */
export const glyphOf = (character: string, codePage: CodePage = 'WPC1252'): Glyph | null =>
  GLYPHS[codePage].get(character) ?? null

/** A character in printable form: itself, its parts without their marks, or a question mark. */
function inGlyphs(character: string, glyphs: Glyphs): string {
  if (hasByte(character, glyphs)) return character
  const standIn = STAND_INS[character]
  if (standIn !== undefined) return standIn
  const decomposed = character.normalize('NFKD')
  if (decomposed === character) return MARK.test(character) ? '' : UNKNOWN
  const parts = Array.from(decomposed.replaceAll(/\p{M}/gu, ''))
  const folded = parts.map((part) => STAND_INS[part] ?? part)
  return Array.from(folded.join('')).every((part) => hasByte(part, glyphs)) ? folded.join('') : UNKNOWN
}

/**
 * A text as a receipt printer can print it, one column for each character: every character of the result is ASCII
 * from space to tilde or has a `glyphOf`. A mark without its letter is dropped.
 */
export const printable = (text: string, codePage: CodePage = 'WPC1252'): string =>
  isPlain(text) ? text : Array.from(text, (character) => inGlyphs(character, GLYPHS[codePage])).join('')
