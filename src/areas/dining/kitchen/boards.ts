import { assert } from '../../../core/assert.ts'
import { notFound } from '../../../core/errors.ts'
import type { Db } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { ticketState } from './rules.ts'
import type { ServeGroup, Ticket, TicketItem } from './schema.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

export const itemOf = ({ kitchenStatus, soldBy, modifiers, ...line }: statements.TicketLine): TicketItem => ({
  ...line,
  soldBy: soldBy ?? 'UNIT',
  status: kitchenStatus,
  modifiers: (modifiers ?? []).map(({ name, price }) => ({ name, price })),
})

/** Builds the ticket of a kitchen sale. `items` can be a part of its items; the state always considers all of them. */
export function ticketOf(
  sale: statements.KitchenSale,
  items: readonly statements.TicketLine[] = sale.items,
): Ticket {
  const { id, number, outletId, tableId, tableLabel, orderType, note, createdAt } = sale
  const state = ticketState(sale.items)
  assert(orderType !== null && state !== null, 'only a sale with an order type and active items is a ticket')
  const updatedAt = sale.items.reduce(
    (latest, line) => (line.updatedAt > latest ? line.updatedAt : latest),
    sale.updatedAt,
  )
  const facts = { id, number, outletId, tableId, tableLabel, orderType, state, openedAt: createdAt, note }
  return { ...facts, items: items.map(itemOf), createdAt, updatedAt }
}

const isOutstanding = (line: statements.TicketLine) => line.isActive && line.kitchenStatus !== 'SERVED'

/**
 * Lists the tickets on the board, oldest first. With a station, each ticket has only the items of that station, as
 * long as one of them is unserved. The state of a ticket is the same on every screen.
 */
export async function listTickets(
  db: Db,
  scope: Scope,
  { outletId, station }: { outletId: string | undefined; station: string | undefined },
): Promise<Ticket[]> {
  const sales = await openSales(db, scope, outletId)
  if (station === undefined) return sales.map((sale) => ticketOf(sale))
  return sales.flatMap((sale) => {
    const lines = sale.items.filter((line) => line.station === station)
    return lines.some(isOutstanding) ? [ticketOf(sale, lines)] : []
  })
}

/** Lists unserved active items by table, oldest first (B-kitchen-6). An order without a table is a separate group. */
export async function listGroups(db: Db, scope: Scope, outletId: string | undefined): Promise<ServeGroup[]> {
  const groups = new Map<string, ServeGroup>()
  for (const sale of await openSales(db, scope, outletId)) {
    const { id, number, tableId, tableLabel, orderType } = sale
    assert(orderType !== null, 'an open ticket has an order type')
    const key = tableId ?? id
    const group = groups.get(key) ?? { tableId, tableLabel, saleId: id, number, orderType, items: [] }
    group.items.push(...sale.items.filter(isOutstanding).map(itemOf))
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Counts the tickets on the board and those with items ready to serve. */
export async function countTickets(
  db: Db,
  scope: Scope,
  outletId: string | undefined,
): Promise<statements.Counts> {
  const counts = await statements.counts(db, scope, outletId)
  if (counts.active === 0) await requireOutlet(db, scope, outletId)
  return counts
}

async function openSales(db: Db, scope: Scope, outletId: string | undefined) {
  const sales = await statements.board(db, scope, outletId)
  if (sales.length === 0) await requireOutlet(db, scope, outletId)
  return sales
}

/**
 * Throws 404 for an unknown outlet (B-ids-3). Only an empty board needs this check: a ticket proves that its outlet
 * exists.
 */
async function requireOutlet(db: Db, scope: Scope, outletId: string | undefined) {
  if (outletId !== undefined && !(await store.hasOutlet(db, scope, outletId))) {
    throw notFound('outlet', 'outletId')
  }
}
