import type { ApiError } from '../../core/errors.ts'

/** Only this file writes `data`, `error` or `meta` (B-answer-1). */
export type Meta = { requestId: string; timestamp: string; cursor?: string | null; hasMore?: boolean }

/** `data` is already JSON text, so that a replay equals the first response byte for byte. */
export const successText = (data: string, meta: Meta) =>
  `{"data":${data},"error":null,"meta":${JSON.stringify(meta)}}`

/** The envelope, split into the parts before and after its data. */
export function dataFrame(meta: Meta) {
  // A marker that JSON never contains unescaped.
  const [head = '', tail = ''] = successText('\u0000', meta).split('\u0000')
  return { head, tail }
}

/** The envelope of a list, split into the parts before and after the rows. */
export function listFrame(key: string, meta: Meta, beside: Record<string, unknown> = {}) {
  const [open = ''] = JSON.stringify({ ...beside, [key]: [] }).split(/\]\}$/)
  // A marker that JSON never contains unescaped.
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

/** From this length on, a text is encoded to bytes once, instead of again for its length, compression and socket. */
const LONG = 2_048
export const payloadOf = (text: string): string | Buffer => (text.length < LONG ? text : Buffer.from(text))
