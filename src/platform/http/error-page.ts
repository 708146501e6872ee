import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../../core/errors.ts'
import { escaped } from '../../core/markup.ts'
import { inline, pagePolicy, sendPage } from '../print/pages.ts'

const STYLE =
  'body{font:18px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem;color:#222}small{color:#666}'
const POLICY = pagePolicy({ 'style-src': inline(STYLE) })

/** Whether a person sees this response in a browser, as a page and not as data for a program. */
export const isLookedAt = ({ headers, routeOptions }: FastifyRequest): boolean =>
  routeOptions?.config.isVisited === true && /\btext\/html\b/.test(headers.accept ?? '')

/** An error as an HTML page; text from the request is escaped. */
export const sendErrorPage = (reply: FastifyReply, { message }: ApiError, requestId: string) =>
  sendPage(
    reply,
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Kasir</title><style>${STYLE}</style><h1>That did not work</h1><p>${escaped(message)}.</p><p><a href="/">Back to the start</a></p><p><small>${escaped(requestId)}</small></p></html>`,
    POLICY,
  )
