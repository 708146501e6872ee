import type { FastifyInstance, FastifyRequest } from 'fastify'
import { languageOf, pageSender } from '../../kit/pages.ts'
import type { Tools } from '../../kit/tools.ts'
import { missingPage, STYLE } from '../style.ts'
import { topupPage } from './page.ts'
import { decideTopup, statusAt } from './service.ts'
import { findTopup } from './store.ts'

const TOKEN = /^[A-Za-z0-9_-]{32}$/
const send = pageSender(STYLE)

/**
 * The page that sells credits. The secret in its address is the only credential. No cookie is involved, and other sites
 * cannot forge a form because they do not know the secret.
 */
export function mountTopups(app: FastifyInstance, tools: Tools) {
  const find = (request: FastifyRequest) => {
    const { token = '' } = request.params as { token?: string }
    return TOKEN.test(token) ? findTopup(tools.db, token) : Promise.resolve(undefined)
  }
  app.get('/topup/:token', async (request, reply) => {
    const language = languageOf(request.headers['accept-language'])
    const found = await find(request)
    if (!found) return send(reply.code(404), missingPage(language))
    return send(reply, topupPage({ ...found, status: statusAt(found, tools.now()) }, language))
  })
  for (const [verb, status] of [
    ['pay', 'paid'],
    ['cancel', 'canceled'],
  ] as const) {
    app.post(`/topup/:token/${verb}`, async (request, reply) => {
      const found = await find(request)
      if (!found) return send(reply.code(404), missingPage(languageOf(request.headers['accept-language'])))
      await tools.db.tx((tx) => decideTopup(tx, found.token, status, tools.now()))
      // 303, so that reloading the next page does not pay again (RFC 9110, 15.4.4).
      return reply.code(303).header('location', `/topup/${found.token}`).send()
    })
  }
}
