import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, malformed } from '../../core/errors.ts'
import { jsonErrorIn } from '../../core/json-error.ts'

/** JSON only, UTF-8 only, uncompressed only; an absent body is undefined. */
export function parseJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  const parsed: Parser = (request, body, done) => {
    const charset = /;\s*charset="?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
      return done(new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as UTF-8'), undefined)
    }
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
      return done(new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body uncompressed'), undefined)
    }
    if (body.length === 0) return done(null, undefined)
    if (!isUtf8(body)) return done(malformed('body', 'The body is not UTF-8'), undefined)
    // Strips the byte order mark, as the parser does.
    const text = body.toString('utf8').replace(/^\uFEFF/, '')
    void parse(request, text, (error, value) => {
      if (!error) return done(null, value)
      const place = jsonErrorIn(text)
      const message =
        place === null
          ? 'The body has a field named __proto__ or constructor: remove it'
          : `The body is not valid JSON at line ${place.line}, column ${place.column}`
      return done(malformed('body', message), undefined)
    })
  }
  type Verifies = (request: FastifyRequest, rawBody: Buffer) => Promise<void>
  const verifiedFirst = async (...[request, raw, done, verifies]: [...Parameters<Parser>, Verifies]) => {
    try {
      await verifies(request, raw)
    } catch (error) {
      return done(error as Error, undefined)
    }
    return parsed(request, raw, done)
  }
  app.decorateRequest('isSigned', false)
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, raw, done) => {
    const { verifies } = request.routeOptions.config
    if (!verifies) return parsed(request, raw as Buffer, done)
    void verifiedFirst(request, raw as Buffer, done, verifies)
  })
}

type Parser = (
  request: FastifyRequest,
  raw: Buffer,
  done: (error: Error | null, body?: unknown) => void,
) => void
