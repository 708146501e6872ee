import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Lets anybody keep an answer for so many seconds, and says whether the caller has it already (RFC 9110, 13.1.2): then 304
 * is all there is to send. `content` is what the answer is made of; its envelope differs each time, so the tag is weak.
 */
export function isUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  content: string,
  seconds: number,
): boolean {
  const tag = `"${createHash('sha256').update(content).digest('base64url')}"`
  reply.header('cache-control', `public, max-age=${seconds}`).header('etag', `W/${tag}`)
  const known = request.headers['if-none-match'] ?? ''
  return known.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag)
}
