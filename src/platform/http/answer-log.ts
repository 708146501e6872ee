import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'

/** Fast successes are not logged: a line per request costs a quarter of the service's time. */
export function logAnswers(app: FastifyInstance, deps: Deps) {
  const { logRequests } = deps.config
  const slowMs = 500
  if (logRequests === 'none') return
  app.addHook('onResponse', async (request, reply) => {
    const ms = Math.round(reply.elapsedTime)
    if (logRequests === 'slow' && ms < slowMs) return
    request.log.info(
      { method: request.method, route: request.routeOptions.url, status: reply.statusCode, ms },
      'answered',
    )
  })
}
