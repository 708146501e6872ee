import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Id, IdParams } from '../../../platform/http/shapes.ts'
import { countTickets, listGroups, listTickets } from './boards.ts'
import { BoardQuery, ServeGroup, Ticket, TicketItem, TicketsQuery } from './schema.ts'
import { serveTable, stepItem, stepTicket } from './service.ts'

const area = 'kitchen'
const OneTicket = Type.Object({ ticket: Ticket })
const OneItem = Type.Object({ item: TicketItem, ticket: Ticket })
const ItemParams = Type.Object({ itemId: Id })

const VERBS = { advance: 'advance', back: 'revert' } as const

const ticketStep = (direction: 'advance' | 'back', summary: string) =>
  route({
    name: `kitchen.${VERBS[direction]}Ticket`,
    method: 'POST',
    path: `/kds/{id}/${direction}`,
    area,
    summary,
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    returns: OneTicket,
    handle: async ({ tx, scope, params }) => ({ ticket: await stepTicket(tx, scope, params.id, direction) }),
  })

const itemStep = (direction: 'advance' | 'back', summary: string) =>
  route({
    name: `kitchen.${VERBS[direction]}Item`,
    method: 'POST',
    path: `/kds/items/{itemId}/${direction}`,
    area,
    summary,
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: ItemParams,
    returns: OneItem,
    handle: ({ tx, scope, params }) => stepItem(tx, scope, params.itemId, direction),
  })

export const kitchenRoutes = [
  route({
    name: 'kitchen.listTickets',
    method: 'GET',
    path: '/kds',
    area,
    summary: 'Read the kitchen board: open tickets with their items',
    description:
      'With `station`, each ticket shows the items of that station while it has any left to serve.',
    access: 'read',
    delegation: 'read',
    query: TicketsQuery,
    returns: Type.Object({ tickets: Type.Array(Ticket) }),
    handle: async ({ db, scope, query: { outletId, station } }) => ({
      tickets: await listTickets(db, scope, { outletId, station }),
    }),
  }),
  route({
    name: 'kitchen.listReady',
    method: 'GET',
    path: '/kds/ready',
    area,
    summary: 'Read the serve board: unserved items by table',
    access: 'read',
    delegation: 'read',
    query: BoardQuery,
    returns: Type.Object({ groups: Type.Array(ServeGroup) }),
    handle: async ({ db, scope, query }) => ({ groups: await listGroups(db, scope, query.outletId) }),
  }),
  route({
    name: 'kitchen.getCounts',
    method: 'GET',
    path: '/kds/counts',
    area,
    summary: 'Count open tickets, and those with something ready',
    access: 'read',
    delegation: 'read',
    query: BoardQuery,
    returns: Type.Object({ active: Type.Integer(), ready: Type.Integer() }),
    handle: ({ db, scope, query }) => countTickets(db, scope, query.outletId),
  }),
  ticketStep('advance', 'Move every item of a ticket one step forward'),
  ticketStep('back', 'Move every item of a ticket one step back'),
  itemStep('advance', 'Move one item one step forward; from READY this serves it'),
  itemStep('back', 'Move one item one step back'),
  route({
    name: 'kitchen.serveTable',
    method: 'POST',
    path: '/kds/tables/{tableId}/serve',
    area,
    summary: 'Serve every ready item of a table',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: Type.Object({ tableId: Id }),
    returns: Type.Object({ served: Type.Integer(), tickets: Type.Array(Ticket) }),
    handle: ({ tx, scope, params }) => serveTable(tx, scope, params.tableId),
  }),
]
