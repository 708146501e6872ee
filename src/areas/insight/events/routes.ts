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
      'Webhooks receive the same events, except types that begin with `audit.`. Events are sorted newest first. With `order=oldest` a client can follow the log: pass `meta.cursor` of each answer to the next call, even if the answer was empty. Events are stored for 90 days, audit events for 400.',
    access: 'page',
    delegation: 'read',
    role: 'MANAGER',
    query: EventQuery,
    returns: LogEvent,
    handle: ({ db, scope, query }) => listEvents(db, scope, query),
  }),
]
