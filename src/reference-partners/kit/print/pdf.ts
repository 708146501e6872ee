import { assert } from '../../../core/assert.ts'
import { COLUMNS, type Line, linesOf, type Paper } from '../../../platform/print/layout.ts'
import type { Row } from '../../../platform/print/rows.ts'
import { inWinAnsi, winAnsiBytes } from './win-ansi.ts'

/** Points of a millimetre (1 point is 1/72 inch). */
const POINTS = 72 / 25.4
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

const n = (value: number) => value.toFixed(2)

/** Text as a PDF writes it: hexadecimal, so that no letter of a name can end it. */
const hex = (text: string) => `<${winAnsiBytes(text).toString('hex')}>`

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
 * Rows as a PDF (ISO 32000-1) in Courier, one of the faces that every reader brings along: nothing is embedded. What
 * a receipt says is lines of letters of one width, for which a library of twenty packages would be much.
 */
export function pdfOf({ title, rows }: { title: string; rows: readonly Row[] }, paper: PdfPaper): Buffer {
  const sheet = sheetOf(paper)
  const pages = pagesOf(rows, sheet)
  const font = (face: string) =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${face} /Encoding /WinAnsiEncoding >>`
  const first = 6
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font('Courier'),
    font('Courier-Bold'),
    `<< /Title ${hex(inWinAnsi(title))} /Producer (Kasir) >>`,
    ...pages.flatMap(({ content, height }, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${n(sheet.width)} ${n(height)}] /Resources << /Font << /R 3 0 R /B 4 0 R >> >> /Contents ${first + 2 * index + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ]
  return assembled(objects)
}

function assembled(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const start = file.length
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${start}\n%%EOF\n`
  assert(/^[\n -~]*$/.test(file), 'all of the file is ASCII, so a character is a byte')
  return Buffer.from(file, 'latin1')
}
