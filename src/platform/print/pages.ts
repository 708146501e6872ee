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
 * The Content-Security-Policy of a page (CSP Level 3): everything is forbidden except what the page lists here. If
 * text is ever injected as markup, it cannot run scripts or submit forms.
 */
export function pagePolicy(allowed: Readonly<Partial<Record<Directive, string>>>): string {
  const named = Object.entries({ 'frame-ancestors': "'none'", ...allowed })
  return [...CLOSED, ...named.map(([directive, sources]) => `${directive} ${sources}`)].join('; ')
}

/** Allows one inline style or script by its hash. Pass the constant, never text from the rendered page. */
export const inline = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** For responses that are not pages: a browser that shows one loads no resources and does not frame it. */
export const NO_PAGE = "default-src 'none'; frame-ancestors 'none'"

/** Sends a page together with its required content policy. */
export const sendPage = (reply: FastifyReply, html: string, policy: string) =>
  reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html)
