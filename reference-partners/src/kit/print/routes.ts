import type { FastifyReply } from 'fastify'
import { LANGUAGES, PaperQuery, type PaperRow, Words } from 'kasir/partner-tools'
import { Type } from 'typebox'
import type { PdfPaper } from './pdf.ts'

/** The query of a paper: its width in millimetres, and its language. */
export const PaperFields = PaperQuery
const PDF_PAPERS = ['58', '80', 'a4'] as const
export const pdfFields = (usual: PdfPaper) => ({
  width: Type.Optional(Words(PDF_PAPERS, { default: usual, description: 'Millimetres of a roll, or A4' })),
  lang: Type.Optional(Words(LANGUAGES, { default: 'id' })),
})

/** Answers with rows as a PDF. */
export async function sendPdf(
  reply: FastifyReply,
  paged: { title: string; createdAt: string; rows: readonly PaperRow[] },
  paper: PdfPaper,
) {
  const { pdfOf } = await import('./pdf.ts')
  return sendPdfFile(reply, paged.title, await pdfOf(paged, paper))
}

/** Answers with a PDF that a browser shows, and saves under its title. */
export function sendPdfFile(reply: FastifyReply, title: string, file: Buffer) {
  const name = title.replaceAll(/[^\w-]/g, '')
  return reply
    .type('application/pdf')
    .header('content-disposition', `inline; filename="${name}.pdf"`)
    .send(file)
}
