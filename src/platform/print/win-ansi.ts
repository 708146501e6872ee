import CodepageEncoder from '@point-of-sale/codepage-encoder'

/** The characters beyond ASCII that the standard fonts of a PDF reader have. */
const LETTERS: ReadonlySet<string> = new Set(
  CodepageEncoder.getEncoding('windows1252').codepoints.flatMap((codePoint, byte) =>
    byte >= 0xa0 || (byte >= 0x80 && codePoint !== 0xfffd && codePoint > 0x9f)
      ? [String.fromCodePoint(codePoint)]
      : [],
  ),
)
const isPlain = (character: string) => character >= ' ' && character <= '~'
const has = (character: string) => isPlain(character) || LETTERS.has(character)

/** Letters that are not made of another one and a mark. */
const STAND_INS: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ħ: 'h', ı: 'i', ŋ: 'n' }

function folded(character: string): string {
  if (has(character)) return character
  const standIn = STAND_INS[character]
  if (standIn !== undefined) return standIn
  const parts = Array.from(character.normalize('NFKD').replaceAll(/\p{M}/gu, ''))
  if (parts.length === 0) return ''
  return parts.every(has) ? parts.join('') : '?'
}

/** A text in letters that every PDF reader has: others without their marks, or as a question mark. */
export const inWinAnsi = (text: string): string => Array.from(text, folded).join('')
