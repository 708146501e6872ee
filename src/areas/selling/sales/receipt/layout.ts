import type { Row } from './rows.ts'

/** Characters per line of the two papers that receipt printers use, by width in millimetres. */
export const COLUMNS = { '58': 32, '80': 48 } as const
export type Paper = keyof typeof COLUMNS
export type Columns = (typeof COLUMNS)[Paper]

/** A line of at most `columns` characters; only left-aligned lines carry their own spaces. */
export type Line = { text: string; align: 'left' | 'center'; bold: boolean; banner: boolean }

/** Characters as a printer counts them: code points. */
export const charactersOf = (text: string): string[] => Array.from(text)
const lengthOf = (text: string): number => charactersOf(text).length
const plain = { align: 'left', bold: false, banner: false } as const

/** Breaks a text into lines of at most `width` characters, between words where it can. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (lengthOf(joined) <= width) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    let rest = charactersOf(word)
    while (rest.length > width) {
      lines.push(rest.slice(0, width).join(''))
      rest = rest.slice(width)
    }
    line = rest.join('')
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line]
}

/** A label and its figure on one line, the figure at the right edge; on lines of their own when they do not fit. */
function pairLines(label: string, figure: string, indent: number, columns: number): string[] {
  const margin = ' '.repeat(indent)
  const room = columns - indent
  const gap = room - lengthOf(label) - lengthOf(figure)
  if (figure === '') return wrap(label, room).map((line) => margin + line)
  if (gap >= 1) return [margin + label + ' '.repeat(gap) + figure]
  const wrapped = wrap(label, room)
  const last = wrapped.at(-1) ?? ''
  const lastGap = room - lengthOf(last) - lengthOf(figure)
  const figures = wrap(figure, columns).map((line) => line.padStart(columns))
  const tail = lastGap >= 1 ? [margin + last + ' '.repeat(lastGap) + figure] : [margin + last, ...figures]
  return [...wrapped.slice(0, -1).map((line) => margin + line), ...tail]
}

/** The rows of a receipt as lines of a paper of `columns` characters. */
export const linesOf = (rows: readonly Row[], columns: Columns): Line[] =>
  rows.flatMap((row): Line[] => {
    switch (row.kind) {
      case 'rule':
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
