import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import helmet from 'helmet'
import { newId } from '../../core/ids.ts'
import { NO_PAGE } from './pages.ts'

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/

/** The caller's own id where it is one, else a new one (B-answer-3). */
export const requestIdOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : newId('request')
}

/** What helmet sets, asked once: it is the same for every answer. Pages name their own policy of content. */
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
 * Every answer carries its id (B-answer-3) and what browsers should refuse to do with it, may not be cached, and is not a
 * page unless it says so (pages.ts); what Fastify itself refuses runs no hooks.
 */
export function stampOf({ isHttps }: { isHttps: boolean }): Stamp {
  const headers = {
    ...safeHeaders(isHttps),
    'cache-control': 'no-store',
    'content-security-policy': NO_PAGE,
  }
  return (request, reply) => reply.headers(headers).header('x-request-id', request.id)
}
