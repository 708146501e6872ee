import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Encoding = 'br' | 'gzip' | 'identity'

/** A smaller response fits into one packet uncompressed. */
const LEAST_BYTES = 1024
/**
 * Each compression uses up to a megabyte and a thread of the password hashing pool; beyond this, responses are plain.
 */
const MOST_AT_ONCE = 4
const TEXTS = /^(?:application\/json|text\/(?:html|plain|javascript))\b/

const PACK: Record<Exclude<Encoding, 'identity'>, (text: Buffer) => Promise<Buffer>> = {
  br: (text) =>
    promisify(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        // A window of 256 KiB instead of 4 MiB.
        [constants.BROTLI_PARAM_LGWIN]: 18,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  gzip: (text) => promisify(gzip)(text, { level: 4 }),
}

const packed = (encoding: Encoding, text: Buffer): Promise<Buffer> =>
  encoding === 'identity' ? Promise.resolve(text) : PACK[encoding](text)

/** A constant text, cached once per requested encoding: all readers share the bytes. */
export function packedOnce(textOf: () => string): (encoding: Encoding) => Promise<Buffer> {
  const known = new Map<Encoding, Promise<Buffer>>()
  let text: Buffer | undefined
  return (encoding) => {
    text ??= Buffer.from(textOf())
    const bytes = known.get(encoding) ?? packed(encoding, text)
    known.set(encoding, bytes)
    bytes.catch(() => known.delete(encoding))
    return bytes
  }
}

/** The best encoding the client accepts (RFC 9110, 12.5.3); `q=0` excludes one. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding {
  const wishes = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((word) => word.trim())
        const quality = parameters.find((word) => word.startsWith('q='))?.slice(2)
        return [name, quality === undefined ? 1 : Number(quality)] as const
      }),
  )
  const wish = (name: string) => wishes.get(name) ?? wishes.get('*') ?? 0
  const [br, gz] = [wish('br'), wish('gzip')]
  if (br > 0 && br >= gz) return 'br'
  return gz > 0 ? 'gzip' : 'identity'
}

type Payload = string | Buffer

const isText = (reply: FastifyReply, payload: unknown): payload is Payload =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
  TEXTS.test(String(reply.getHeader('content-type') ?? '')) &&
  reply.getHeader('content-encoding') === undefined

/** Compresses public texts only, because compression leaks secrets by the length (BREACH). */
export type MayCompress = (request: FastifyRequest) => boolean

/**
 * An `onSend` hook: compresses large enough text responses for clients that accept it. `may` excludes responses that
 * hold a secret beside input of the client.
 */
export function compressor(may: MayCompress) {
  let running = 0
  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    if (!isText(reply, payload) || !may(request)) return payload
    if (Buffer.byteLength(payload) < LEAST_BYTES) return payload
    // Caches need the header even if this client receives plain text.
    reply.header('vary', varied(reply.getHeader('vary')))
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    if (encoding === 'identity' || running >= MOST_AT_ONCE || request.method === 'HEAD') return payload
    running += 1
    try {
      const bytes = await packed(encoding, typeof payload === 'string' ? Buffer.from(payload) : payload)
      reply.header('content-encoding', encoding)
      reply.removeHeader('content-length')
      return bytes
    } finally {
      running -= 1
    }
  }
}

function varied(known: number | string | string[] | undefined): string {
  const names = known === undefined ? [] : [known].flat().map(String)
  return [...names, 'accept-encoding'].join(', ')
}
