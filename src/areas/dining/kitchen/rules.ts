import { conflict } from '../../../core/errors.ts'

/** How far a line has come, in order (B-kitchen-2). */
export const KITCHEN_STATES = ['NEW', 'PREPARING', 'READY', 'SERVED'] as const
export type KitchenState = (typeof KITCHEN_STATES)[number]

/** A line as the kitchen sees it; an inactive one is a cancelled part and never steps. */
export type KitchenItem = { id: string; kitchenStatus: KitchenState; isActive: boolean }

export type KitchenStep = { id: string; from: KitchenState; to: KitchenState }

const NEXT = { NEW: 'PREPARING', PREPARING: 'READY', READY: 'SERVED', SERVED: null } as const
const PREVIOUS = { NEW: null, PREPARING: 'NEW', READY: 'PREPARING', SERVED: 'READY' } as const

type Steps = Record<KitchenState, KitchenState | null>

/** Whether a sale belongs to the kitchen (B-kitchen-1): an order type, not voided, something left to make or made. */
export const isKitchenSale = (sale: {
  orderType: string | null
  status: string
  items: readonly { isActive: boolean }[]
}): boolean => sale.orderType !== null && sale.status !== 'VOIDED' && sale.items.some((item) => item.isActive)

/** The state of a ticket: that of its least advanced active item; null without one (B-kitchen-2). */
export function ticketState(items: readonly Omit<KitchenItem, 'id'>[]): KitchenState | null {
  const states = new Set(items.filter((item) => item.isActive).map((item) => item.kitchenStatus))
  return KITCHEN_STATES.find((state) => states.has(state)) ?? null
}

/** Whether a ticket shows on the board: it has active items and not all of them are served (B-kitchen-2). */
export function isOnBoard(items: readonly Omit<KitchenItem, 'id'>[]): boolean {
  const state = ticketState(items)
  return state !== null && state !== 'SERVED'
}

function stepItem(item: Omit<KitchenItem, 'id'>, steps: Steps, atTheEnd: string): KitchenState {
  if (!item.isActive) throw conflict('This item was cancelled: there is nothing left to make')
  const to = steps[item.kitchenStatus]
  if (to === null) throw conflict(atTheEnd)
  return to
}

/** The next state of one item; READY to SERVED is serving it. 409 once it is SERVED, or cancelled (B-kitchen-3). */
export const advanceItem = (item: Omit<KitchenItem, 'id'>): KitchenState =>
  stepItem(item, NEXT, 'This item is already served')

/** The previous state of one item, undoing one step. 409 while it is NEW, or cancelled (B-kitchen-3). */
export const backItem = (item: Omit<KitchenItem, 'id'>): KitchenState =>
  stepItem(item, PREVIOUS, 'This item is new: there is no step to undo')

function stepTicket(items: readonly KitchenItem[], steps: Steps, nothingToDo: string): KitchenStep[] {
  const taken = items
    .filter((item) => item.isActive)
    .flatMap(({ id, kitchenStatus: from }) => {
      const to = steps[from]
      return to === null ? [] : [{ id, from, to }]
    })
  if (taken.length === 0) throw conflict(nothingToDo)
  return taken
}

/** One step for every active item not yet served; the items that move. 409 when all are SERVED (B-kitchen-3). */
export const advanceTicket = (items: readonly KitchenItem[]): KitchenStep[] =>
  stepTicket(items, NEXT, 'Every item of this ticket is already served')

/** One step back for every active item not NEW, also on a served ticket. 409 when all are NEW (B-kitchen-3). */
export const backTicket = (items: readonly KitchenItem[]): KitchenStep[] =>
  stepTicket(items, PREVIOUS, 'Every item of this ticket is new: there is no step to undo')

/** Serves what is READY, across the tickets of a table. 409 when nothing is (B-kitchen-4). */
export function serveReady(items: readonly KitchenItem[]): KitchenStep[] {
  const ready = items.filter((item) => item.isActive && item.kitchenStatus === 'READY')
  if (ready.length === 0) throw conflict('No item of this table is ready to serve')
  return ready.map(({ id }) => ({ id, from: 'READY', to: 'SERVED' }))
}
