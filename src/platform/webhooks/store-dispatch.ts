import { inTx, named, namedWrite, type WriteDb } from '../db/open.ts'
import type { Attempt } from './attempt-log.ts'
import * as statements from './statements.ts'

/** An endpoint that no other process sends to before the lease ends. */
export type Leased = {
  accountId: string
  id: string
  url: string
  /** Sealed. */
  secret: string
  status: string
  failures: number
}

export const lease = (
  db: WriteDb,
  by: { process: string; now: string; until: string; busy: readonly string[] },
) => namedWrite<Leased>(db, statements.LEASE, [by.now, by.process, by.until, by.busy])

export type Due = {
  accountId: string
  id: string
  subscriptionId: string
  eventId: string
  attempts: number
  byHand: boolean
  /** Null once the event is no longer kept. */
  body: string | null
}
/** How many more deliveries of an endpoint are wanted, beside those that are known. */
export type Room = Pick<Leased, 'accountId' | 'id'> & { room: number; known: readonly string[] }

export const due = (db: WriteDb, now: string, rooms: readonly Room[], atMost: number) =>
  named<Due>(db, statements.DUE, [
    now,
    rooms.map((one) => one.accountId),
    rooms.map((one) => one.id),
    rooms.map((one) => one.room),
    rooms.map((one) => one.known.join()),
    atMost,
  ])

export type Endpoint = {
  accountId: string
  id: string
  status: string
  failures: number
  since: string | null
}
export type EndpointChange = Endpoint & { reason: 'FAILING' | 'GONE' | null }

export type Finished = {
  accountId: string
  id: string
  subscriptionId: string
  status: 'pending' | 'succeeded' | 'failed'
  dueAt: string | null
  attempt: Attempt
}

/**
 * Records finished attempts in one transaction: the endpoints first, as everybody locks them, then the deliveries.
 * `decide` says what becomes of an endpoint; those that go off fail all that is queued for them.
 */
export const record = (
  db: WriteDb,
  now: string,
  finished: readonly Finished[],
  decide: (endpoint: Endpoint) => EndpointChange,
): Promise<EndpointChange[]> =>
  inTx(db, async (tx) => {
    const accounts = finished.map((one) => one.accountId)
    const endpoints = await named<Endpoint>(tx, statements.LOCK_ENDPOINTS, [
      accounts,
      finished.map((one) => one.subscriptionId),
    ])
    const changes = endpoints.map(decide)
    await namedWrite(tx, statements.RECORD_STREAKS, [
      changes.map((one) => one.accountId),
      changes.map((one) => one.id),
      changes.map((one) => one.failures),
      changes.map((one) => one.since),
      changes.map((one) => one.status),
      changes.map((one) => one.reason),
      now,
    ])
    await namedWrite(tx, statements.RECORD_ATTEMPTS, [
      accounts,
      finished.map((one) => one.id),
      finished.map((one) => one.status),
      finished.map((one) => one.dueAt),
      finished.map((one) => one.attempt.statusCode),
      finished.map((one) => JSON.stringify(one.attempt)),
      now,
    ])
    const off = changes.filter(({ status }) => status !== 'active')
    if (off.length > 0) await failQueued(tx, off, now)
    return changes
  })

/** What was queued for endpoints that went off at the same moment. */
export const failQueued = (
  db: WriteDb,
  endpoints: readonly Pick<Endpoint, 'accountId' | 'id'>[],
  now: string,
) =>
  namedWrite(db, statements.FAIL_QUEUED, [
    endpoints.map((one) => one.accountId),
    endpoints.map((one) => one.id),
    now,
  ])

export const release = (
  db: WriteDb,
  process: string,
  endpoints: readonly Pick<Leased, 'accountId' | 'id'>[],
) =>
  namedWrite(db, statements.RELEASE, [
    endpoints.map((one) => one.accountId),
    endpoints.map((one) => one.id),
    process,
  ])
