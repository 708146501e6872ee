import { route, withStatus, withTraits } from '../../../platform/http/route.ts'
import { Health } from './schema.ts'
import { readHealth } from './service.ts'

export const healthRoutes = [
  withTraits(
    // Other requests from the same address must not make a probe fail: an orchestrator would restart a healthy
    // process.
    { perMinute: 6_000 },
    route({
      name: 'health.check',
      method: 'GET',
      path: '/health',
      area: 'health',
      summary: 'Read the status of the service and its dependencies',
      description:
        'The answer is 200 while sales are possible (ok, degraded) and 503 if the database is down or read-only. A sharded database is up if one worker answers.',
      access: 'open',
      auth: 'none',
      delegation: 'none',
      document: { alsoAnswers: [503] },
      returns: Health,
      handle: async ({ deps }) => {
        const health = await readHealth(deps)
        return withStatus(health.status === 'down' ? 503 : 200, health)
      },
    }),
  ),
]
