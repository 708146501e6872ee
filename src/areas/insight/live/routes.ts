import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { FilterId } from '../../../platform/http/shapes.ts'
import { followBoards } from './service.ts'

export const liveRoutes = [
  route({
    name: 'live.stream',
    method: 'GET',
    path: '/events/stream',
    area: 'live',
    summary: 'Follow the live boards',
    description:
      'Server-sent events. Each `change` names a `topic` (kds, serve, floor) and an `outletId`: read that board again. ' +
      'Nothing is replayed after a reconnect, so read the boards once when the stream opens.',
    access: 'raw',
    delegation: 'read',
    produces: 'text/event-stream',
    query: Type.Object({ outletId: FilterId }),
    returns: Type.String(),
    handle: ({ deps, scope, query, request, reply }) =>
      followBoards(deps, scope, { outletId: query.outletId, request, reply }),
  }),
]
