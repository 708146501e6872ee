import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from 'kasir/partner-tools'
import { languageOf, pageSender } from '../../kit/pages.ts'
import type { Tools } from '../../kit/tools.ts'
import { missingPage, STYLE } from '../style.ts'
import { trackingPage } from './page.ts'
import { advanceShipment, namesOf } from './service.ts'
import { STATUSES } from './states.ts'
import { findByToken } from './store.ts'

const TOKEN = /^[A-Za-z0-9_-]{32}$/
const send = pageSender(STYLE)

/**
 * The tracking page for the recipient. The secret in its address is the only credential, also for the sandbox courier. No
 * cookie is involved, and other sites cannot forge a form because they do not know the secret.
 */
export function mountTracking(app: FastifyInstance, tools: Tools) {
  const find = (request: FastifyRequest) => {
    const { token = '' } = request.params as { token?: string }
    return TOKEN.test(token) ? findByToken(tools.db, token) : Promise.resolve(undefined)
  }
  app.get('/track/:token', async (request, reply) => {
    const language = languageOf(request.headers['accept-language'])
    const found = await find(request)
    if (!found) return send(reply.code(404), missingPage(language))
    return send(reply, trackingPage({ ...found, ...namesOf(found) }, language))
  })
  for (const to of STATUSES) {
    app.post(`/track/:token/${to}`, async (request, reply) => {
      const found = await find(request)
      if (!found) return send(reply.code(404), missingPage(languageOf(request.headers['accept-language'])))
      const { workspaceId, id, token } = found
      const which = { tools, workspaceId, id, to, note: null, now: tools.now() }
      await tools.db.tx((tx) => advanceShipment(tx, which)).catch(ignoreTooLate)
      // 303, so that reloading the next page does not repeat the change (RFC 9110, 15.4.4).
      return reply.code(303).header('location', `/track/${token}`).send()
    })
  }
}

/** The page was outdated: the shipment has changed state meanwhile, and the page shows the current one. */
function ignoreTooLate(error: unknown) {
  if (!(error instanceof ApiError && error.code === 'CONFLICT')) throw error
}
