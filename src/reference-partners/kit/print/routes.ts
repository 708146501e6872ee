import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { Words } from '../../../platform/http/shapes.ts'
import { LANGUAGES, PaperQuery } from '../../../platform/print/print.ts'
import type { Row } from '../../../platform/print/rows.ts'
import type { PdfPaper } from './pdf.ts'

/** How a paper is asked for: its width in millimetres, and its language. */
export const PaperFields = PaperQuery
const PDF_PAPERS = ['58', '80', 'a4'] as const
export const pdfFields = (usual: PdfPaper) => ({
  width: Type.Optional(Words(PDF_PAPERS, { default: usual, description: 'Millimetres of a roll, or A4' })),
  lang: Type.Optional(Words(LANGUAGES, { default: 'id' })),
})

/** Answers with rows as a PDF. */
export async function sendPdf(
  reply: FastifyReply,
  paged: { title: string; rows: readonly Row[] },
  paper: PdfPaper,
) {
  const { pdfOf } = await import('./pdf.ts')
  return sendPdfFile(reply, paged.title, pdfOf(paged, paper))
}

/** Answers with a PDF that a browser shows, and saves under its title. */
export function sendPdfFile(reply: FastifyReply, title: string, file: Buffer) {
  const name = title.replaceAll(/[^\w-]/g, '')
  return reply
    .type('application/pdf')
    .header('content-disposition', `inline; filename="${name}.pdf"`)
    .send(file)
}
