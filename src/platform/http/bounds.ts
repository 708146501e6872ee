import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../core/errors.ts'

/** Limits of a request, checked before it is parsed (B-limit-4). Node bounds all headers together at 16 KiB. */
const MAX_URL = 8 * 1024
const MAX_HEADERS = 100

/** Requests with an undecodable URL; each is routed to a path that no route has. */
const unreadable = new WeakSet<IncomingMessage>()
const NOWHERE = '/unreadable'

/**
 * The router answers an undecodable URL before any hook runs, so the rate limit would not count it. Such requests are
 * routed like unknown paths instead, and rejected there.
 */
export function readableUrl(request: IncomingMessage): string {
  const url = request.url ?? '/'
  try {
    decodeURIComponent(url.split(/[?#;]/, 1)[0] ?? '')
    return url
  } catch {
    unreadable.add(request)
    return NOWHERE
  }
}

/** Register it after the rate limit: a request rejected here still uses the caller's budget. */
export function boundRequests(app: FastifyInstance) {
  app.addHook('onRequest', ({ raw }, _reply, next) => {
    if (unreadable.has(raw)) throw refused(400, 'The URL of the request cannot be read')
    if ((raw.url ?? '').length > MAX_URL) {
      throw refused(414, `The URL is longer than ${MAX_URL} characters; send fewer or shorter parameters`)
    }
    if (raw.rawHeaders.length > 2 * MAX_HEADERS) {
      throw refused(431, `The request has more than ${MAX_HEADERS} headers`)
    }
    next()
  })
}

const refused = (status: number, message: string) => new ApiError('VALIDATION_ERROR', message, { status })
