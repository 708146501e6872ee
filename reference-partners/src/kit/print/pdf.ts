import {
  COLUMNS,
  createPdf,
  drawLine,
  inWinAnsi,
  linesOf,
  type Paper,
  type PaperRow,
  type Pdf,
  type PdfInfo,
  MILLIMETRE as POINTS,
  type PrintedLine,
} from 'kasir/partner-tools'

/** A letter of Courier is 600/1000 of its size wide. */
const LETTER = 0.6
const LEADING = 1.4

export type PdfPaper = Paper | 'a4'
type Sheet = { width: number; height: number | null; columns: 32 | 48; margin: number; size: number }

/** A roll is as long as its content. A sheet of A4 shows the 48 columns of the wide roll in a larger font. */
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

/** A PDF page is at most 200 inches long. Longer content continues on the next page. */
const LONGEST = 14_000

const fold = (row: PaperRow): PaperRow => {
  if (row.kind === 'pair') return { ...row, left: inWinAnsi(row.left), right: inWinAnsi(row.right) }
  if (row.kind === 'text' || row.kind === 'banner') return { ...row, text: inWinAnsi(row.text) }
  return row
}

function drawLines(pdf: Pdf, lines: readonly PrintedLine[], { width, columns, margin, size }: Sheet) {
  for (const [index, line] of lines.entries()) {
    const scale = line.banner ? Math.min(1.3, columns / Math.max(1, line.text.length)) : 1
    const taken = line.text.length * size * LETTER * scale
    const x = line.align === 'center' ? (width - taken) / 2 : margin
    pdf.font(line.bold ? 'Courier-Bold' : 'Courier', size * scale)
    drawLine(pdf, line.text, { x, y: margin + size * (LEADING * index + 1) })
  }
}

/** Draws rows in Courier: a receipt is lines of letters of one width. */
export function pdfOf(
  { rows, ...info }: PdfInfo & { rows: readonly PaperRow[] },
  paper: PdfPaper,
): Promise<Buffer> {
  const sheet = sheetOf(paper)
  const lines = linesOf(rows.map(fold), sheet.columns)
  const leading = sheet.size * LEADING
  const linesPerPage = Math.floor(((sheet.height ?? LONGEST) - 2 * sheet.margin) / leading)
  return createPdf(info, (pdf) => {
    for (let from = 0; from === 0 || from < lines.length; from += linesPerPage) {
      const page = lines.slice(from, from + linesPerPage)
      const height = sheet.height ?? 2 * sheet.margin + page.length * leading
      pdf.addPage({ size: [sheet.width, height], margin: 0 })
      drawLines(pdf, page, sheet)
    }
  })
}
