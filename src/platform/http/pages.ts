import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

type Directive =
  | 'script-src'
  | 'style-src'
  | 'img-src'
  | 'font-src'
  | 'connect-src'
  | 'worker-src'
  | 'frame-ancestors'

const CLOSED = ["default-src 'none'", "base-uri 'none'", "form-action 'none'"]

/**
 * The Content-Security-Policy of a page (CSP Level 3): all is forbidden but what the page names here. Should a text
 * ever slip into it as markup, nothing of it may run, and no form may send anything away.
 */
export function pagePolicy(allowed: Readonly<Partial<Record<Directive, string>>>): string {
  const named = Object.entries({ 'frame-ancestors': "'none'", ...allowed })
  return [...CLOSED, ...named.map(([directive, sources]) => `${directive} ${sources}`)].join('; ')
}

/** Lets one inline style or script through by its text. Give it the constant, never text of the finished page. */
export const inline = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** For every answer that is not a page: a browser that shows it loads nothing for it and puts it in no frame. */
export const NO_PAGE = "default-src 'none'; frame-ancestors 'none'"

/** Answers with a page, which cannot be sent without naming what it may do. */
export const sendPage = (reply: FastifyReply, html: string, policy: string) =>
  reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html)
