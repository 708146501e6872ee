import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { COLUMNS, type Paper } from '../../core/paper/layout.ts'
import { LANGUAGES, type Language } from '../../core/paper/receipt-words.ts'
import { type PaperPage, pageOf } from '../print/html.ts'
import { sendPage } from '../print/pages.ts'
import { textOf } from '../print/text.ts'
import { Words } from './shapes.ts'

export { LANGUAGES, type Language }

/** The query parameters of a paper, besides its format. */
export const PaperQuery = {
  width: Type.Optional(Words(['58', '80'], { default: '80', description: 'Millimetres of paper' })),
  lang: Type.Optional(Words(LANGUAGES, { default: 'id' })),
}

const FORMATS = ['html', 'text', 'escpos'] as const
type PaperFormat = (typeof FORMATS)[number]
/** Media types of the formats. */
export const PAPER_TYPES = ['text/html', 'text/plain', 'application/octet-stream']

/** A printable response; `name` is the name of the downloaded file. */
export type PaperResponse = { paged: PaperPage; name: string }

/** The requested paper; null if the query requests none. */
export function paperOf(query: unknown): { format: PaperFormat; width: Paper } | null {
  const { format, width = '80' } = query as { format?: string; width?: Paper }
  const found = FORMATS.find((one) => one === format)
  return found === undefined ? null : { format: found, width }
}

/** Sends a page, plain text, or the bytes for a receipt printer as the file `name`. */
export async function sendPrint(
  reply: FastifyReply,
  paged: PaperPage,
  { format, width, name }: { format: PaperFormat; width: Paper; name: string },
) {
  if (format === 'text')
    return reply.type('text/plain; charset=utf-8').send(textOf(paged.rows, COLUMNS[width]))
  if (format === 'escpos') {
    // The code pages load with the first print, not at startup.
    const { escposOf } = await import('../../core/paper/escpos.ts')
    return reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename="${name}.bin"`)
      .send(Buffer.from(escposOf(paged.rows, COLUMNS[width])))
  }
  const { html, policy } = pageOf(paged, width)
  return sendPage(reply, html, policy)
}
