import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import helmet from 'helmet'
import { newId } from '../../core/ids.ts'
import { NO_PAGE } from '../print/pages.ts'

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/

/** The caller's request id if it is valid, otherwise a new one (B-answer-3). */
export const requestIdOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : newId('request')
}

/** Headers set by helmet, computed once: they are the same for every response. Pages set their own content policy. */
function safeHeaders(isHttps: boolean): Record<string, string> {
  const headers: Record<string, string> = {}
  const answer = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => {},
  } as unknown as ServerResponse
  const set = helmet({ contentSecurityPolicy: false, strictTransportSecurity: isHttps })
  set({} as IncomingMessage, answer, () => {})
  return headers
}

export type Stamp = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/**
 * Every response has its request id (B-answer-3) and security headers, is not cacheable, and is not a page unless
 * pages.ts sends it. Fastify's own errors run no hooks.
 */
export function stampOf({ isHttps }: { isHttps: boolean }): Stamp {
  const headers = {
    ...safeHeaders(isHttps),
    'cache-control': 'no-store',
    'content-security-policy': NO_PAGE,
  }
  return (request, reply) => reply.headers(headers).header('x-request-id', request.id)
}
