import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { FilterId } from '../../../platform/http/shapes.ts'
import { streamBoards } from './service.ts'

export const liveRoutes = [
  route({
    name: 'live.stream',
    method: 'GET',
    path: '/events/stream',
    area: 'live',
    summary: 'Follow the live boards',
    description:
      'A stream of server-sent events. Each `change` names a `topic` (kds, serve, floor, print) and an `outletId`; read that board again. The topic `catalogue` has `outletId` null: read the catalogue since your version. ' +
      'The stream does not repeat missed changes. Read the boards once whenever the stream opens.',
    access: 'raw',
    delegation: 'read',
    produces: 'text/event-stream',
    query: Type.Object({ outletId: FilterId }),
    // It waits for the live connection to be made, without a need for the database.
    hotPath: { holdsSlot: false },
    returns: Type.String(),
    handle: ({ deps, scope, query, request, reply }) =>
      streamBoards(deps, scope, { outletId: query.outletId, request, reply }),
  }),
]
