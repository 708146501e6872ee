import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newId } from '../../core/ids.ts'
import { NO_PAGE } from './pages.ts'

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/

/** The caller's own id where it is one, else a new one (B-answer-3). */
export const requestIdOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : newId('request')
}

/**
 * Every answer carries its id (B-answer-3), may not be cached, and is not a page unless it says so (pages.ts); what
 * Fastify itself refuses runs no hooks.
 */
export const stamped = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store')
    .header('content-security-policy', NO_PAGE)
