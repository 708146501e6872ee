import type { FastifyInstance, FastifyRequest } from 'fastify'
import { acceptForms, languageOf, pageSender } from '../../kit/pages.ts'
import type { Tools } from '../../kit/tools.ts'
import { hostedPage, missingPage, STYLE } from './page.ts'
import { qrPng, qrSvg } from './qr-image.ts'
import { decide } from './service.ts'
import { findByToken, type SessionRow } from './store.ts'

const TOKEN = /^[A-Za-z0-9_-]{32}$/
type PayableSession = SessionRow & { merchant: string }

/**
 * The page for the payer. The secret in its address is the only credential. No cookie is involved, and other sites cannot
 * forge a form because they do not know the secret.
 */
export function mountPayer(app: FastifyInstance, tools: Tools) {
  acceptForms(app)
  const find = (request: FastifyRequest): Promise<PayableSession | undefined> => {
    const { token = '' } = request.params as { token?: string }
    return TOKEN.test(token) ? findByToken(tools.db, token) : Promise.resolve(undefined)
  }
  app.get('/pay/:token', async (request, reply) => {
    const language = languageOf(request.headers['accept-language'])
    const found = await find(request)
    if (!found) return page(reply.code(404), missingPage(language))
    return page(reply, hostedPage({ ...found, status: effectiveStatus(found, tools.now()) }, language))
  })
  for (const [verb, outcome] of [
    ['pay', 'completed'],
    ['fail', 'failed'],
  ] as const) {
    app.post(`/pay/:token/${verb}`, async (request, reply) => {
      const found = await find(request)
      if (!found) return page(reply.code(404), missingPage(languageOf(request.headers['accept-language'])))
      const { workspaceId, id, token } = found
      await tools.db.tx((tx) => decide(tx, outcome, { tools, workspaceId, id, now: tools.now() }))
      // 303, so that reloading the next page does not pay again (RFC 9110, 15.4.4).
      return reply.code(303).header('location', `/pay/${token}`).send()
    })
  }
  for (const [kind, type, draw] of [
    ['svg', 'image/svg+xml', qrSvg],
    ['png', 'image/png', qrPng],
  ] as const) {
    app.get(`/pay/:token/qr.${kind}`, async (request, reply) => {
      const found = await find(request)
      if (!found?.qrString) return page(reply.code(404), missingPage('en'))
      return reply
        .type(type)
        .header('cache-control', 'private, max-age=3600')
        .send(await draw(found.qrString))
    })
  }
}

/** A session may be overdue before the job expires it. */
const effectiveStatus = ({ status, expiresAt }: PayableSession, now: string): SessionRow['status'] =>
  status === 'open' && expiresAt <= now ? 'expired' : status

const page = pageSender(STYLE)
