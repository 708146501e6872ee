import type { Deps } from '../deps.ts'
import * as store from './store-dispatch.ts'

/** Attempts in flight per endpoint: more would be a burst to the receiver of a small shop. */
const PLACES_OF_ENDPOINT = 10
/** A failing endpoint receives one attempt at a time until one succeeds. */
const PLACES_OF_FAILING = 1
/**
 * Deliveries in memory: per endpoint (with sent but unrecorded ones), per endpoint waiting for a place, and in all.
 */
const KNOWN_OF_ENDPOINT = 150
const WAITING = 50
const KNOWN = 4_000
/** Lease time beyond the timeout of an attempt; after a crash another process takes over when the lease ends. */
const LEASE_MARGIN_MS = 10_000

/** An endpoint leased by this process: its queued deliveries, and the ids of those queued, in flight or unrecorded. */
export type Hold = {
  endpoint: store.LeasedEndpoint
  /** When the lease ends at the earliest, in `uptimeMs`: a wall clock that is set does not move it. */
  untilMs: number
  waiting: store.DueDelivery[]
  sending: number
  known: Set<string>
}

export const isFailing = ({ endpoint }: Hold) => endpoint.failures > 0
export const placesOf = (hold: Hold) => (isFailing(hold) ? PLACES_OF_FAILING : PLACES_OF_ENDPOINT)

/** Drops unsent deliveries from memory: they are still due, or were failed with their endpoint. */
export function drop(hold: Hold | undefined) {
  for (const { id } of hold?.waiting.splice(0) ?? []) hold?.known.delete(id)
}

/** The endpoints that a process has leased, and their due deliveries. */
export function holdEndpoints({ clock, db, config }: Pick<Deps, 'clock' | 'db' | 'config'>, process: string) {
  const held = new Map<string, Hold>()
  const leaseMs = config.webhookTimeout * 1_000 + LEASE_MARGIN_MS

  const keep = (endpoint: store.LeasedEndpoint, untilMs: number) => {
    const hold = held.get(endpoint.id)
    if (hold) Object.assign(hold, { endpoint, untilMs })
    else held.set(endpoint.id, { endpoint, untilMs, waiting: [], sending: 0, known: new Set() })
  }
  return {
    all: () => [...held.values()],
    /** Applies the endpoint changes of recorded attempts. */
    note: (changes: readonly store.EndpointChange[]) => {
      for (const { id, failures, status } of changes) {
        const hold = held.get(id)
        if (hold) hold.endpoint = { ...hold.endpoint, failures, status }
      }
    },
    /** Leases endpoints with due deliveries, renews the leases of busy ones, and forgets the others. */
    lease: async () => {
      const [now, untilMs] = [clock.now(), clock.uptimeMs() + leaseMs]
      const busy = [...held.values()].filter(({ known }) => known.size > 0).map(({ endpoint }) => endpoint)
      const leased = await store.lease(db, { process, now, leaseMs, busy })
      const kept = new Set(leased.map(({ id }) => id))
      for (const [id, { known }] of held) if (!kept.has(id) && known.size === 0) held.delete(id)
      for (const endpoint of leased) keep(endpoint, untilMs)
      const off = leased.filter(({ status }) => status !== 'active')
      for (const { id } of off) drop(held.get(id))
      if (off.length > 0) await store.failQueued(db, off, now)
    },
    /** Fetches due deliveries into the queues that have room. Returns false if there were none. */
    fetch: async (): Promise<boolean> => {
      const holds = [...held.values()]
      const ofWorkspaces = new Map<string, number>()
      for (const { endpoint, known } of holds) {
        ofWorkspaces.set(endpoint.accountId, (ofWorkspaces.get(endpoint.accountId) ?? 0) + known.size)
      }
      const rooms = holds.flatMap((hold) => roomOf(hold, ofWorkspaces.get(hold.endpoint.accountId) ?? 0))
      const free = holds.reduce((left, { known }) => left - known.size, KNOWN)
      if (rooms.length === 0 || free <= 0) return false
      const found = await store.due(db, clock.now(), rooms, free)
      for (const due of found) {
        const hold = held.get(due.subscriptionId)
        hold?.known.add(due.id)
        hold?.waiting.push(due)
      }
      return found.length > 0
    },
    release: async () => {
      const endpoints = [...held.values()].map(({ endpoint }) => endpoint)
      // If the release fails, the leases expire.
      if (endpoints.length > 0) await store.release(db, process, endpoints).catch(() => {})
    },
  }
}

/** How many more deliveries of an endpoint to fetch now. */
function roomOf(hold: Hold, ofWorkspace: number): store.Room[] {
  const { endpoint, waiting, known } = hold
  const room = isFailing(hold)
    ? PLACES_OF_FAILING - known.size
    : Math.min(KNOWN_OF_ENDPOINT - known.size, WAITING)
  if (endpoint.status !== 'active' || room <= 0 || waiting.length > WAITING / 2) return []
  return [{ accountId: endpoint.accountId, id: endpoint.id, room, known: [...known], ofWorkspace }]
}
