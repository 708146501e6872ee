import { eastAsianWidth } from 'get-east-asian-width'
import { isClean } from './format.ts'
import type { PaperRow } from './rows.ts'

/** Characters per line of the two common receipt papers, by width in millimetres. */
export const COLUMNS = { '58': 32, '80': 48 } as const
export type Paper = keyof typeof COLUMNS
export type PaperColumns = (typeof COLUMNS)[Paper]

/** A line of at most `columns` columns; only left-aligned lines contain their own leading spaces. */
export type PrintedLine = { text: string; align: 'left' | 'center'; bold: boolean; banner: boolean }

const plain = { align: 'left', bold: false, banner: false } as const

const MARK = /\p{M}/u
const FIRST_MARK = 0x300

/** A cache: columns of each code point plus one, 0 if not computed yet. A receipt may have a million characters. */
const known = new Uint8Array(0x11_0000)

function columnsOf(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0
  if (codePoint < FIRST_MARK) return 1
  const found = known[codePoint] ?? 0
  if (found > 0) return found - 1
  const columns = MARK.test(character) ? 0 : eastAsianWidth(codePoint)
  known[codePoint] = columns + 1
  return columns
}

/**
 * The columns of a text on a screen or a line printer: combining marks take none, Chinese characters and emoji two,
 * others one.
 */
export function widthOf(text: string): number {
  if (isClean(text)) return text.length
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

/** Splits a word into pieces of at most `width` columns; a mark stays with its letter. */
function piecesOf(word: string, width: number): string[] {
  const pieces: string[] = []
  let piece = ''
  let taken = 0
  for (const character of word) {
    const columns = columnsOf(character)
    if (taken + columns > width) {
      pieces.push(piece)
      piece = ''
      taken = 0
    }
    piece += character
    taken += columns
  }
  return [...pieces, piece]
}

/** Breaks a text into lines of at most `width` columns, between words if possible. */
export function wrap(text: string, width: number): string[] {
  if (text.length <= width && isClean(text)) return [text]
  const lines: string[] = []
  let line = ''
  let taken = 0
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const columns = widthOf(word)
    if (line !== '' && taken + 1 + columns <= width) {
      line += ` ${word}`
      taken += 1 + columns
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = piecesOf(word, width)
    line = pieces.pop() ?? ''
    taken = widthOf(line)
    lines.push(...pieces)
  }
  return [...lines, line]
}

/** A label and its figure on one line, the figure at the right edge; on separate lines if they do not fit. */
function pairLines(label: string, figure: string, indent: number, columns: number): string[] {
  const margin = ' '.repeat(indent)
  const room = columns - indent
  const gap = room - widthOf(label) - widthOf(figure)
  if (figure === '') return wrap(label, room).map((line) => margin + line)
  if (gap >= 1) return [margin + label + ' '.repeat(gap) + figure]
  const wrapped = wrap(label, room)
  const last = wrapped.at(-1) ?? ''
  const lastGap = room - widthOf(last) - widthOf(figure)
  const figures = wrap(figure, columns).map((line) => ' '.repeat(columns - widthOf(line)) + line)
  const tail = lastGap >= 1 ? [margin + last + ' '.repeat(lastGap) + figure] : [margin + last, ...figures]
  return [...wrapped.slice(0, -1).map((line) => margin + line), ...tail]
}

/** Rows as lines of a paper of `columns` characters. */
export const linesOf = (rows: readonly PaperRow[], columns: PaperColumns): PrintedLine[] =>
  rows.flatMap((row): PrintedLine[] => {
    switch (row.kind) {
      // Plain text has no image and no barcode; a printer receives their dots separately.
      case 'image':
      case 'barcode':
      case 'qr':
        return []
      case 'rule':
      case 'cut':
        return [{ ...plain, text: '-'.repeat(columns) }]
      case 'banner':
        return [{ text: row.text, align: 'center', bold: true, banner: true }]
      case 'text':
        return wrap(row.text, columns).map((text) => ({
          ...plain,
          text,
          align: row.align,
          bold: row.bold,
        }))
      case 'pair':
        return pairLines(row.left, row.right, row.indent, columns).map((text) => ({
          ...plain,
          text,
          bold: row.bold,
        }))
    }
  })
