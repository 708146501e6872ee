import { COLUMNS, type Line, linesOf, type Paper } from '../../../platform/print/layout.ts'
import type { Row } from '../../../platform/print/rows.ts'
import { pdfText as hex, points as n, MILLIMETRE as POINTS, pdfFile } from './pdf-file.ts'
import { inWinAnsi } from './win-ansi.ts'

/** A letter of Courier is 600/1000 of its size wide. */
const LETTER = 0.6
const LEADING = 1.4

export type PdfPaper = Paper | 'a4'
type Sheet = { width: number; height: number | null; columns: 32 | 48; margin: number; size: number }

/** A roll is as long as what is printed on it, and a sheet of A4 holds the 48 columns of the wide roll, larger. */
function sheetOf(paper: PdfPaper): Sheet {
  if (paper === 'a4') return { width: 595, height: 842, columns: 48, margin: 60, size: 475 / (48 * LETTER) }
  const width = Number(paper) * POINTS
  const margin = (paper === '58' ? 5 : 4) * POINTS
  return {
    width,
    height: null,
    columns: COLUMNS[paper],
    margin,
    size: (width - 2 * margin) / (COLUMNS[paper] * LETTER),
  }
}

/** A page may be 200 inches long; what is beyond continues on the next. */
const LONGEST = 14_000

const fold = (row: Row): Row => {
  if (row.kind === 'rule' || row.kind === 'image') return row
  if (row.kind === 'pair') return { ...row, left: inWinAnsi(row.left), right: inWinAnsi(row.right) }
  return { ...row, text: inWinAnsi(row.text) }
}

function drawn(lines: readonly Line[], { width, columns, margin, size }: Sheet, height: number): string {
  const leading = size * LEADING
  return lines
    .map((line, index) => {
      const scale = line.banner ? Math.min(1.3, columns / Math.max(1, line.text.length)) : 1
      const taken = line.text.length * size * LETTER * scale
      const x = line.align === 'center' ? (width - taken) / 2 : margin
      const y = height - margin - leading * (index + 1) + size * (LEADING - 1)
      return `BT /${line.bold ? 'B' : 'R'} ${n(size * scale)} Tf ${n(x)} ${n(y)} Td ${hex(line.text)} Tj ET`
    })
    .join('\n')
}

function pagesOf(rows: readonly Row[], sheet: Sheet): { content: string; height: number }[] {
  const lines = linesOf(rows.map(fold), sheet.columns)
  const leading = sheet.size * LEADING
  const most = Math.floor(((sheet.height ?? LONGEST) - 2 * sheet.margin) / leading)
  return Array.from({ length: Math.max(1, Math.ceil(lines.length / most)) }, (_, page) => {
    const own = lines.slice(page * most, (page + 1) * most)
    const height = sheet.height ?? 2 * sheet.margin + own.length * leading
    return { content: drawn(own, sheet, height), height }
  })
}

/**
 * Rows as a PDF in Courier: what a receipt says is lines of letters of one width, for which a library of twenty packages
 * would be much.
 */
export function pdfOf({ title, rows }: { title: string; rows: readonly Row[] }, paper: PdfPaper): Buffer {
  const sheet = sheetOf(paper)
  const pages = pagesOf(rows, sheet).map(({ content, height }) => ({ content, height, width: sheet.width }))
  return pdfFile({ title, faces: { regular: 'Courier', bold: 'Courier-Bold' }, pages })
}
