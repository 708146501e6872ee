import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Makes a response publicly cacheable for the given seconds. Returns true if the caller already has it and needs only
 * a 304 (RFC 9110, 13.1.2). `content` determines the tag, which is weak because the envelope differs each time.
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
