import { buffer } from 'node:stream/consumers'

/** In points (1 point is 1/72 inch). */
export const MILLIMETRE = 72 / 25.4

export type Pdf = PDFKit.PDFDocument
export type PdfInfo = { title: string; createdAt: string }

/**
 * Returns the PDF that `draw` fills with pages. Use the standard fonts, which every reader has, so that nothing is
 * embedded; they print `inWinAnsi` text only. The same record gives the same bytes.
 */
export async function createPdf(
  { title, createdAt }: PdfInfo,
  draw: (pdf: Pdf) => void | Promise<void>,
): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit')
  // oxlint-disable-next-line no-restricted-globals -- a given instant, as pdfkit takes it
  const instant = new Date(createdAt)
  const info = { Title: title, Creator: 'Kasir', Producer: 'Kasir', CreationDate: instant }
  const pdf = new PDFDocument({ autoFirstPage: false, info })
  await draw(pdf)
  pdf.end()
  return buffer(pdf)
}

/** One line of text whose baseline is at `y` below the top of the page. */
export function drawLine(pdf: Pdf, text: string, { x, y }: { x: number; y: number }) {
  pdf.text(text, x, y, { lineBreak: false, baseline: 'alphabetic' })
}
