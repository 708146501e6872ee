import { conflict } from '../../../core/errors.ts'

/** The states of an item, in order (B-kitchen-2). */
export const KITCHEN_STATES = ['NEW', 'PREPARING', 'READY', 'SERVED'] as const
export type KitchenState = (typeof KITCHEN_STATES)[number]

/** An item in the kitchen. An inactive one is a cancelled part and never moves. */
export type KitchenItem = { id: string; kitchenStatus: KitchenState; isActive: boolean }

export type KitchenStep = { id: string; from: KitchenState; to: KitchenState }

const NEXT = { NEW: 'PREPARING', PREPARING: 'READY', READY: 'SERVED', SERVED: null } as const
const PREVIOUS = { NEW: null, PREPARING: 'NEW', READY: 'PREPARING', SERVED: 'READY' } as const

type Steps = Record<KitchenState, KitchenState | null>

/**
 * Returns true if a sale belongs to the kitchen: it has an order type and active items, and is not voided
 * (B-kitchen-1).
 */
export const isKitchenSale = (sale: {
  orderType: string | null
  status: string
  items: readonly { isActive: boolean }[]
}): boolean => sale.orderType !== null && sale.status !== 'VOIDED' && sale.items.some((item) => item.isActive)

/** Returns the state of the least advanced active item, or null without active items (B-kitchen-2). */
export function ticketState(items: readonly Omit<KitchenItem, 'id'>[]): KitchenState | null {
  const states = new Set(items.filter((item) => item.isActive).map((item) => item.kitchenStatus))
  return KITCHEN_STATES.find((state) => states.has(state)) ?? null
}

/** Returns true if a ticket is on the board: it has active items, and not all of them are served (B-kitchen-2). */
export function isOnBoard(items: readonly Omit<KitchenItem, 'id'>[]): boolean {
  const state = ticketState(items)
  return state !== null && state !== 'SERVED'
}

function stepItem(item: Omit<KitchenItem, 'id'>, steps: Steps, atTheEnd: string): KitchenState {
  if (!item.isActive) throw conflict('This item was cancelled, so there is nothing left to prepare')
  const to = steps[item.kitchenStatus]
  if (to === null) throw conflict(atTheEnd)
  return to
}

/**
 * Returns the next state of an item; the step from READY to SERVED serves it. Throws 409 if it is SERVED or cancelled
 * (B-kitchen-3).
 */
export const advanceItem = (item: Omit<KitchenItem, 'id'>): KitchenState =>
  stepItem(item, NEXT, 'This item is already served')

/** Returns the previous state of an item. Throws 409 if it is NEW or cancelled (B-kitchen-3). */
export const backItem = (item: Omit<KitchenItem, 'id'>): KitchenState =>
  stepItem(item, PREVIOUS, 'This item is new, so there is no step to undo')

/** The items that a step moves: those with the status that the caller saw, and those that the caller named. */
export type StepChoice = { from?: KitchenState | undefined; itemIds?: readonly string[] | undefined }

function stepTicket(
  items: readonly KitchenItem[],
  steps: Steps,
  { from: seen, itemIds, nothingToDo }: StepChoice & { nothingToDo: string },
): KitchenStep[] {
  const chosen = itemIds && new Set(itemIds)
  const isChosen = ({ id, kitchenStatus }: KitchenItem) =>
    (seen === undefined || kitchenStatus === seen) && (chosen === undefined || chosen.has(id))
  const taken = items
    .filter((item) => item.isActive && isChosen(item))
    .flatMap(({ id, kitchenStatus: from }) => {
      const to = steps[from]
      return to === null ? [] : [{ id, from, to }]
    })
  if (taken.length === 0) {
    const isWhole = seen === undefined && itemIds === undefined
    throw conflict(isWhole ? nothingToDo : 'The chosen items have already moved on; read the board again')
  }
  return taken
}

/**
 * Moves every unserved active item one step forward and returns these steps. Throws 409 if all items are SERVED
 * (B-kitchen-3).
 */
export const advanceTicket = (items: readonly KitchenItem[], choice: StepChoice = {}): KitchenStep[] =>
  stepTicket(items, NEXT, { ...choice, nothingToDo: 'Every item of this ticket is already served' })

/**
 * Moves every active item that is not NEW one step back, also on a served ticket. Throws 409 if all items are NEW
 * (B-kitchen-3).
 */
export const backTicket = (items: readonly KitchenItem[], choice: StepChoice = {}): KitchenStep[] =>
  stepTicket(items, PREVIOUS, {
    ...choice,
    nothingToDo: 'Every item of this ticket is new, so there is no step to undo',
  })

/** Serves the READY items on all tickets of a table. Throws 409 if there are none (B-kitchen-4). */
export function serveReady(items: readonly KitchenItem[]): KitchenStep[] {
  const ready = items.filter((item) => item.isActive && item.kitchenStatus === 'READY')
  if (ready.length === 0) throw conflict('No item of this table is ready to serve')
  return ready.map(({ id }) => ({ id, from: 'READY', to: 'SERVED' }))
}
