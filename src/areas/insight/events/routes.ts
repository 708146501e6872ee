import { route } from '../../../platform/http/route.ts'
import { EventQuery, LogEvent } from './schema.ts'
import { listEvents } from './service.ts'

export const eventRoutes = [
  route({
    name: 'events.list',
    method: 'GET',
    path: '/events',
    area: 'events',
    summary: 'The log of the workspace: what happened, when, by whom and from where',
    description:
      'Webhooks are sent the same events; entries that are for the log alone have types that begin with `audit.`. Newest first. With `order=oldest` the answer follows the log: pass `meta.cursor` of each answer to the next call, also when it held nothing. Kept for 90 days, audit entries for 400.',
    access: 'read',
    delegation: 'read',
    role: 'MANAGER',
    page: true,
    query: EventQuery,
    returns: LogEvent,
    handle: ({ db, scope, query }) => listEvents(db, scope, query),
  }),
]
