import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { LANGUAGES, type Language } from 'kasir/partner-tools'

/** The first language of `Accept-Language` that we speak (RFC 9110, 12.5.4); Indonesian when there is none. */
export function languageOf(header: string | undefined): Language {
  const asked = (header ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase())
  const known = asked.flatMap((word) => LANGUAGES.filter((language) => language === word))
  return known[0] ?? 'id'
}

/** A page runs no script, loads only our own images, and submits its form only to this server. */
function policyOf(style: string): string {
  const inline = `'sha256-${createHash('sha256').update(style).digest('base64')}'`
  return `default-src 'none'; style-src ${inline}; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
}

/** Answers with a page whose only style is `style`. */
export const pageSender = (style: string) => {
  const policy = policyOf(style)
  return (reply: FastifyReply, html: string) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .send(html)
}

/** Accepts form submissions from browsers without reading their fields. */
export const acceptForms = (app: FastifyInstance) =>
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { bodyLimit: 1_024 },
    (_request, payload, done) => {
      payload.resume()
      payload.once('end', () => done(null))
      payload.once('error', (error: Error) => done(error))
    },
  )
