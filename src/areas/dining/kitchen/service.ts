import { conflict, notFound } from '../../../core/errors.ts'
import { shortened } from '../../../core/events.ts'
import type { Tx } from '../../../platform/db/open.ts'
import { emitRows, eventRow } from '../../../platform/events/outbox.ts'
import { type Scope, touchBoard } from '../../../platform/scope.ts'
import { getTable } from '../tables/index.ts'
import { itemOf, ticketOf } from './boards.ts'
import { ticketReady } from './events.ts'
import {
  advanceItem,
  advanceTicket,
  backItem,
  backTicket,
  isKitchenSale,
  isOnBoard,
  type KitchenState,
  type KitchenStep,
  type StepChoice,
  serveReady,
  ticketState,
} from './rules.ts'
import type { Ticket, TicketItem } from './schema.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

/**
 * Moves the chosen items of a ticket one step, without a choice every one that can move. Throws 404 for an unknown
 * ticket or item. Throws 409 if the sale is not for the kitchen, or if no chosen item can move in this direction.
 */
export async function stepTicket(
  tx: Tx,
  scope: Scope,
  saleId: string,
  { direction, ...choice }: StepChoice & { direction: 'advance' | 'back' },
): Promise<Ticket> {
  const sale = await lockKitchenSale(tx, scope, saleId)
  const unknown = choice.itemIds?.findIndex((id) => !sale.items.some((item) => item.id === id)) ?? -1
  if (unknown >= 0) throw notFound('item', `itemIds[${unknown}]`)
  const steps = (direction === 'advance' ? advanceTicket : backTicket)(sale.items, choice)
  const [stepped] = await applySteps(tx, scope, [sale], steps)
  return ticketOf(stepped ?? sale)
}

/**
 * Moves one item one step. Throws 404 for an unknown item. Throws 409 if the sale is not for the kitchen, or if the
 * item is cancelled or cannot move in this direction.
 */
export async function stepItem(
  tx: Tx,
  scope: Scope,
  itemId: string,
  direction: 'advance' | 'back',
): Promise<{ item: TicketItem; ticket: Ticket }> {
  const found = await store.findSaleOfItem(tx, scope, itemId)
  if (!found) throw notFound('item')
  const sale = await lockKitchenSale(tx, scope, found.saleId)
  // An edit of the bill can have removed the item while this request waited for the lock.
  const line = sale.items.find((item) => item.id === itemId)
  if (!line) throw notFound('item')
  const to = direction === 'advance' ? advanceItem(line) : backItem(line)
  const [stepped] = await applySteps(tx, scope, [sale], [{ id: itemId, from: line.kitchenStatus, to }])
  const after = stepped ?? sale
  return { item: itemOf(after.items.find((item) => item.id === itemId) ?? line), ticket: ticketOf(after) }
}

/**
 * Serves the READY items on all tickets of a table and returns the changed tickets. Throws 404 for an unknown table
 * and 409 if no item is ready.
 */
export async function serveTable(
  tx: Tx,
  scope: Scope,
  tableId: string,
): Promise<{ served: number; tickets: Ticket[] }> {
  const table = await getTable(tx, scope, tableId)
  const ids = (await statements.lockTickets(tx, scope, table)).map((sale) => sale.id)
  const sales = ids.length === 0 ? [] : await statements.readKitchenSales(tx, scope, ids)
  const steps = serveReady(sales.flatMap((sale) => sale.items))
  const touched = await applySteps(tx, scope, sales, steps)
  return { served: steps.length, tickets: touched.map((sale) => ticketOf(sale)) }
}

/** Announces a ticket that has become READY; call it after other changes of its items (B-kitchen-8). */
export async function announceIfReady(tx: Tx, scope: Scope, saleId: string, before: KitchenState | null) {
  const [sale] = await statements.readKitchenSales(tx, scope, [saleId])
  if (sale && isKitchenSale(sale)) await announce(tx, scope, [{ sale, before }])
}

/** Locks the sale, then reads it with its items, so that the items cannot change in between. */
async function lockKitchenSale(tx: Tx, scope: Scope, saleId: string): Promise<statements.KitchenSale> {
  if (!(await store.lockSale(tx, scope, saleId))) throw notFound('ticket')
  const [sale] = await statements.readKitchenSales(tx, scope, [saleId])
  if (!sale || !isKitchenSale(sale)) {
    throw conflict(
      sale?.status === 'VOIDED'
        ? 'This sale was voided, so there is nothing to prepare'
        : 'This sale is not for the kitchen. Set its order type first',
    )
  }
  return sale
}

/** Writes any number of steps in at most three statements and returns the changed sales. */
async function applySteps(
  tx: Tx,
  scope: Scope,
  sales: readonly statements.KitchenSale[],
  steps: readonly KitchenStep[],
): Promise<statements.KitchenSale[]> {
  const states = new Map(steps.map((step) => [step.id, step.to]))
  const touched = sales.filter((sale) => sale.items.some((line) => states.has(line.id)))
  const after = touched.map((sale) => stepped(scope, sale, states))
  const rows = touched.flatMap((sale) =>
    sale.items.flatMap(({ id }) => {
      const to = states.get(id)
      return to === undefined ? [] : [{ saleId: sale.id, id, to }]
    }),
  )
  await statements.writeSteps(tx, scope, rows)
  for (const open of [true, false]) {
    const ids = after.filter((sale) => sale.kitchenOpen === open).map((sale) => sale.id)
    if (ids.length > 0) await store.writeOpen(tx, scope, ids, open)
  }
  await announce(
    tx,
    scope,
    after.map((sale, index) => ({ sale, before: ticketState(touched[index]?.items ?? []) })),
  )
  for (const { outletId } of after) {
    touchBoard(scope, 'kds', outletId)
    if (steps.some(isSeenByWaiters)) touchBoard(scope, 'serve', outletId)
  }
  return after
}

function stepped(
  scope: Scope,
  sale: statements.KitchenSale,
  states: ReadonlyMap<string, KitchenState>,
): statements.KitchenSale {
  const items = sale.items.map((line) => {
    const kitchenStatus = states.get(line.id)
    if (kitchenStatus === undefined) return line
    return { ...line, kitchenStatus, kitchenUpdatedAt: scope.now, updatedAt: scope.now }
  })
  return { ...sale, items, kitchenOpen: isOnBoard(items), updatedAt: scope.now }
}

/** Returns true if the step changes the serve board: an item becomes READY, leaves READY, or is SERVED (B-live-2). */
const isSeenByWaiters = ({ from, to }: Pick<KitchenStep, 'from' | 'to'>) =>
  [from, to].some((state) => state === 'READY' || state === 'SERVED')

async function announce(
  tx: Tx,
  scope: Scope,
  changes: readonly { sale: statements.KitchenSale; before: KitchenState | null }[],
) {
  const ready = changes.filter(
    ({ sale, before }) => before !== 'READY' && ticketState(sale.items) === 'READY',
  )
  const rows = ready.map(({ sale }) =>
    eventRow(scope, ticketReady, sale.id, { ticket: shortened(ticketOf(sale), 'items') }),
  )
  await emitRows(tx, scope, rows)
}
