import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../core/errors.ts'

/** What a request may be before it is looked at (B-limit-4). Node bounds all headers together at 16 KiB. */
const MAX_URL = 8 * 1024
const MAX_HEADERS = 100

/** Requests whose address could not be read; each is answered under an address that no route has. */
const unreadable = new WeakSet<IncomingMessage>()
const NOWHERE = '/unreadable'

/**
 * The router answers an address that it cannot decode before any hook: nobody would count such requests. They are sent
 * the way of every unknown address instead, and refused there.
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

/** Register it behind what counts callers: a request that is refused here has cost its budget. */
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
