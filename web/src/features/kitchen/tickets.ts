import type { Ticket, TicketItem } from 'kasir-client'

/** The part of the tickets that a cook sees. Pure. */

export type KitchenState = TicketItem['status']
/** `isGone`: the whole order was cancelled after the kitchen got it. */
export type BoardTicket = { ticket: Ticket; items: readonly TicketItem[]; isGone: boolean }

const ORDER: readonly KitchenState[] = ['NEW', 'PREPARING', 'READY', 'SERVED']
export const nextOf = (state: KitchenState): KitchenState => ORDER[ORDER.indexOf(state) + 1] ?? 'SERVED'

/** The least advanced state of the items that are still to prepare or to serve; null without any. */
export const stateOf = (items: readonly TicketItem[]): KitchenState | null => {
  const states = new Set(items.filter(({ isActive }) => isActive).map(({ status }) => status))
  return ORDER.find((state) => states.has(state)) ?? null
}

type Shown = { station: string | null; seen: ReadonlySet<string> }

/**
 * The items of a ticket that this board shows: those of its station that are neither served nor cancelled and seen.
 */
const shownItems = (ticket: Ticket, { station, seen }: Shown): TicketItem[] =>
  ticket.items.filter(
    (item) =>
      (station === null || item.station === station) &&
      (item.isActive ? item.status !== 'SERVED' : !seen.has(item.id)),
  )

/** The tickets of a board: those to prepare, or those that are ready. Cancelled ones wait among those to prepare. */
export function boardOf(
  { open, gone }: { open: readonly Ticket[]; gone: readonly Ticket[] },
  shown: Shown,
): { active: BoardTicket[]; ready: BoardTicket[] } {
  const active: BoardTicket[] = gone
    .filter(({ id }) => !shown.seen.has(id))
    .map((ticket) => ({ ticket, items: shownItems(ticket, shown), isGone: true }))
  const ready: BoardTicket[] = []
  for (const ticket of open) {
    const items = shownItems(ticket, shown)
    if (items.length === 0) continue
    const isReady = items.every(({ isActive, status }) => isActive && status === 'READY')
    ;(isReady ? ready : active).push({ ticket, items, isGone: false })
  }
  return { active, ready }
}

/** The stations that have work, and the chosen one. */
export const stationsOf = (tickets: readonly Ticket[], chosen: string | null): string[] =>
  [
    ...new Set([
      ...tickets.flatMap(({ items }) => items.flatMap(({ station }) => station ?? [])),
      ...(chosen === null ? [] : [chosen]),
    ]),
  ].sort((a, b) => a.localeCompare(b, 'id'))

/** The new items of a board, by which a new ticket or a later order on it is noticed. */
export const newItemsOf = (tickets: readonly Ticket[], station: string | null): Map<string, string> =>
  new Map(
    tickets.flatMap(({ id, items }) =>
      items
        .filter(
          (item) => item.isActive && item.status === 'NEW' && (station === null || item.station === station),
        )
        .map((item) => [item.id, id] as const),
    ),
  )

/** Tickets that left the board although the kitchen had work on them. */
export const lostTickets = (before: readonly Ticket[], now: readonly Ticket[]): Ticket[] => {
  const ids = new Set(now.map(({ id }) => id))
  const itemIds = new Set(now.flatMap(({ items }) => items.map(({ id }) => id)))
  return before.filter(
    ({ id, items }) =>
      !ids.has(id) &&
      items.some((item) => item.isActive && (item.status === 'NEW' || item.status === 'PREPARING')) &&
      // The items of a merged bill continue as items of the other bill.
      !items.some((item) => itemIds.has(item.id)),
  )
}

/** The ticket that the service will answer after a step. */
export const stepped = (ticket: Ticket, itemIds: readonly string[], to: KitchenState): Ticket => ({
  ...ticket,
  items: ticket.items.map((item) => (itemIds.includes(item.id) ? { ...item, status: to } : item)),
})
