import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, malformed } from '../../core/errors.ts'

/** JSON only, UTF-8 only, uncompressed only; an absent body reads as none. */
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
    void parse(request, body.toString('utf8'), (error, value) =>
      error ? done(malformed('body', 'The body is not valid JSON'), undefined) : done(null, value),
    )
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
