import type { ApiError } from '../../core/errors.ts'

/** Nobody else writes `data`, `error` or `meta` (B-answer-1). */
export type Meta = { requestId: string; timestamp: string; cursor?: string | null; hasMore?: boolean }

/** `data` is JSON text already, so that a replay is equal to the first answer to the byte. */
export const successText = (data: string, meta: Meta) =>
  `{"data":${data},"error":null,"meta":${JSON.stringify(meta)}}`

/** The envelope of a list, cut open where its rows go: what comes before them and after. */
export function listFrame(key: string, meta: Meta, beside: Record<string, unknown> = {}) {
  const [open = ''] = JSON.stringify({ ...beside, [key]: [] }).split(/\]\}$/)
  // A mark that no JSON holds unescaped.
  const [head = '', tail = ''] = successText(`${open}\u0000]}`, meta).split('\u0000')
  return { head, tail }
}

export const errorText = (error: ApiError, meta: Meta) =>
  JSON.stringify({
    data: null,
    error: {
      code: error.code,
      message: error.message,
      ...(error.param === undefined ? {} : { param: error.param }),
      ...(error.details === undefined ? {} : { details: error.details }),
    },
    meta,
  })

/** From this length on a text is turned into bytes once; else its length, its compression and its socket each do so. */
const LONG = 2_048
export const payloadOf = (text: string): string | Buffer => (text.length < LONG ? text : Buffer.from(text))
