import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Id, IdParams } from '../../../platform/http/shapes.ts'
import { countTickets, listGroups, listTickets } from './boards.ts'
import { BoardQuery, ServeGroup, Ticket, TicketItem, TicketStep, TicketsQuery } from './schema.ts'
import { serveTable, stepItem, stepTicket } from './service.ts'

const area = 'kitchen'
const OneTicket = Type.Object({ ticket: Ticket })
const OneItem = Type.Object({ item: TicketItem, ticket: Ticket })
const ItemParams = Type.Object({ itemId: Id })

const VERBS = { advance: 'advance', back: 'revert' } as const

const ticketStep = (direction: 'advance' | 'back', summary: string, description: string) =>
  route({
    name: `kitchen.${VERBS[direction]}Ticket`,
    method: 'POST',
    path: `/kds/{id}/${direction}`,
    area,
    summary,
    description,
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: IdParams,
    body: TicketStep,
    returns: OneTicket,
    handle: async ({ tx, scope, params, body }) => ({
      ticket: await stepTicket(tx, scope, params.id, { ...body, direction }),
    }),
  })

const itemStep = (direction: 'advance' | 'back', summary: string, description: string) =>
  route({
    name: `kitchen.${VERBS[direction]}Item`,
    method: 'POST',
    path: `/kds/items/{itemId}/${direction}`,
    area,
    summary,
    description,
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
    summary: 'Read the kitchen board',
    description:
      'Lists up to 1,000 tickets with their items. With `station`, each ticket has only the items of that station, as long as one of them is unserved.',
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
    summary: 'Read the serve board',
    description:
      'Lists unserved active items, grouped by table. A ticket without a table is a separate group.',
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
    summary: 'Count open tickets and tickets with ready items',
    description: 'Use it for a badge on a screen.',
    access: 'read',
    delegation: 'read',
    query: BoardQuery,
    returns: Type.Object({ active: Type.Integer(), ready: Type.Integer() }),
    handle: ({ db, scope, query }) => countTickets(db, scope, query.outletId),
  }),
  ticketStep(
    'advance',
    'Move every item of a ticket one step forward',
    'The steps are NEW, PREPARING, READY and SERVED. If every item is served, the answer is 409. With `from`, only items with this status move; with `itemIds`, only these.',
  ),
  ticketStep(
    'back',
    'Move every item of a ticket one step back',
    'Moves every item that is not NEW. If every item is NEW, the answer is 409. With `from`, only items with this status move; with `itemIds`, only these.',
  ),
  itemStep(
    'advance',
    'Move an item one step forward',
    'A step from READY serves the item. A served or cancelled item is 409.',
  ),
  itemStep('back', 'Move an item one step back', 'An item that is NEW or cancelled is 409.'),
  route({
    name: 'kitchen.serveTable',
    method: 'POST',
    path: '/kds/tables/{tableId}/serve',
    area,
    summary: 'Serve every ready item of a table',
    description: 'Serves up to 50 tickets of the table. If no item is READY, the answer is 409.',
    access: 'write',
    delegation: 'books',
    role: 'CASHIER',
    params: Type.Object({ tableId: Id }),
    returns: Type.Object({ served: Type.Integer(), tickets: Type.Array(Ticket) }),
    handle: ({ tx, scope, params }) => serveTable(tx, scope, params.tableId),
  }),
]
