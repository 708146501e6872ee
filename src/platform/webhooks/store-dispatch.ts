import { assert } from '../../core/assert.ts'
import { inTx, isSharded, named, namedWrite, type WriteDb } from '../db/open.ts'
import { isWorkerLost } from '../db/pg-errors.ts'
import { workspacesWith } from '../sharding/holders.ts'
import type { LoggedAttempt } from './attempt-log.ts'
import * as statements from './statements.ts'

/** An endpoint that no other process sends to before the lease ends. */
export type LeasedEndpoint = {
  accountId: string
  id: string
  url: string
  /** Sealed. */
  secret: string
  status: string
  failures: number
}

export const lease = async (
  db: WriteDb,
  by: {
    process: string
    now: string
    leaseMs: number
    busy: readonly Pick<LeasedEndpoint, 'accountId' | 'id'>[]
  },
): Promise<LeasedEndpoint[]> => {
  const values = [by.now, by.process, by.leaseMs, by.busy.map(({ id }) => id)]
  if (!isSharded(db)) return namedWrite<LeasedEndpoint>(db, statements.LEASE, values)
  const waiting: readonly string[] = await workspacesWith(db, {
    table: 'webhookDeliveries',
    where: `status = 'pending' and due_at <= $1::timestamptz`,
    values: [by.now],
  })
  const accounts = new Set([...waiting, ...by.busy.map(({ accountId }) => accountId)])
  return inReach([...accounts], (accountId) =>
    namedWrite<LeasedEndpoint>(db, statements.LEASE_IN_ONE, [...values, accountId]),
  )
}

/** Concurrent queries when each workspace is queried separately: fewer than half of a process's connections. */
const AT_ONCE = 4

/** Runs `ask` for each workspace; one on an unreachable worker returns no rows and does not block the others. */
async function inReach<T>(
  accounts: readonly string[],
  ask: (accountId: string) => Promise<T[]>,
): Promise<T[]> {
  const [left, found]: [string[], T[]] = [[...accounts], []]
  const work = async () => {
    for (let accountId = left.pop(); accountId !== undefined; accountId = left.pop()) {
      const rows = await ask(accountId).catch((error: unknown) => {
        if (!isWorkerLost(error)) throw error
        return []
      })
      found.push(...rows)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, left.length) }, work))
  return found
}

function groupByAccount<R extends { accountId: string }>(rows: readonly R[]): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const known = groups.get(row.accountId)
    if (known) known.push(row)
    else groups.set(row.accountId, [row])
  }
  return groups
}

export type DueDelivery = {
  accountId: string
  id: string
  subscriptionId: string
  eventId: string
  attempts: number
  byHand: boolean
  /** Its turn within its workspace, counting deliveries already in memory. */
  turn: number
  dueAt: string
  /** Null once the event is no longer kept. */
  body: string | null
}
/** How many more deliveries of an endpoint to fetch, and those already in memory of it and of its workspace. */
export type Room = Pick<LeasedEndpoint, 'accountId' | 'id'> & {
  room: number
  known: readonly string[]
  ofWorkspace: number
}

export async function due(
  db: WriteDb,
  now: string,
  rooms: readonly Room[],
  free: number,
): Promise<DueDelivery[]> {
  const values = (some: readonly Room[]) => [
    now,
    some.map((one) => one.accountId),
    some.map((one) => one.id),
    some.map((one) => one.room),
    some.map((one) => one.known.join()),
    some.map((one) => one.known.length),
    some.map((one) => one.ofWorkspace),
    free,
  ]
  if (!isSharded(db)) return named<DueDelivery>(db, statements.DUE, values(rooms))
  const groups = groupByAccount(rooms)
  const found = await inReach([...groups.keys()], (accountId) =>
    named<DueDelivery>(db, statements.DUE_IN_ONE, [...values(groups.get(accountId) ?? []), accountId]),
  )
  return found
    .sort((a, b) => a.turn - b.turn || (a.dueAt < b.dueAt ? -1 : Number(a.dueAt > b.dueAt)))
    .filter(({ turn }, before) => turn <= statements.KNOWN_PER_FREE * (free - before))
}

/** Picks the statement for `accounts`; the one-workspace variant receives the workspace as its last value. */
function chosen<S>(
  db: WriteDb,
  { any, one }: { any: S; one: S },
  accounts: readonly string[],
  values: unknown[],
): readonly [S, unknown[]] {
  if (!isSharded(db)) return [any, values]
  assert(new Set(accounts).size === 1, 'a sharded database writes one workspace at a time')
  return [one, [...values, accounts[0]]]
}

export type Endpoint = {
  accountId: string
  id: string
  status: string
  failures: number
  since: string | null
}
export type EndpointChange = Endpoint & { reason: 'FAILING' | 'GONE' | null }

export type FinishedDelivery = {
  accountId: string
  id: string
  subscriptionId: string
  status: 'pending' | 'succeeded' | 'failed'
  /** When the next attempt is due. */
  dueAt: string | null
  /** When this attempt was due. */
  wasDueAt: string
  attempt: LoggedAttempt
}

/**
 * Records finished attempts in one transaction, of one workspace only in a sharded database. Locks the endpoints
 * first, in the common order, then updates the deliveries. `decide` returns the new state of an endpoint; one that is
 * switched off fails its queued deliveries.
 */
export const record = (
  db: WriteDb,
  now: string,
  finished: readonly FinishedDelivery[],
  decide: (endpoint: Endpoint) => EndpointChange,
): Promise<EndpointChange[]> =>
  inTx(db, async (tx) => {
    const accounts = finished.map((one) => one.accountId)
    const endpoints = await named<Endpoint>(
      tx,
      ...chosen(tx, statements.LOCK_ENDPOINTS, accounts, [
        accounts,
        finished.map((one) => one.subscriptionId),
      ]),
    )
    const changes = endpoints.map(decide)
    await namedWrite(
      tx,
      ...chosen(tx, statements.RECORD_STREAKS, accounts, [
        changes.map((one) => one.accountId),
        changes.map((one) => one.id),
        changes.map((one) => one.failures),
        changes.map((one) => one.since),
        changes.map((one) => one.status),
        changes.map((one) => one.reason),
        now,
      ]),
    )
    await namedWrite(
      tx,
      ...chosen(tx, statements.RECORD_ATTEMPTS, accounts, [
        accounts,
        finished.map((one) => one.id),
        finished.map((one) => one.status),
        finished.map((one) => one.dueAt),
        finished.map((one) => one.attempt.statusCode),
        finished.map((one) => JSON.stringify(one.attempt)),
        now,
        finished.map((one) => one.wasDueAt),
      ]),
    )
    const off = changes.filter(({ status }) => status !== 'active')
    if (off.length > 0) await failQueued(tx, off, now)
    return changes
  })

type EndpointKey = Pick<Endpoint, 'accountId' | 'id'>

/** Runs `write` for endpoints of any workspaces, grouped by workspace in a sharded database. */
async function forEachAccount(
  db: WriteDb,
  endpoints: readonly EndpointKey[],
  write: (some: readonly EndpointKey[]) => Promise<never[]>,
) {
  if (!isSharded(db)) return write(endpoints)
  const groups = groupByAccount(endpoints)
  return inReach([...groups.keys()], (accountId) => write(groups.get(accountId) ?? []))
}

const columnsOf = (endpoints: readonly EndpointKey[]) =>
  [endpoints.map((one) => one.accountId), endpoints.map((one) => one.id)] as const

/** Fails the queued deliveries of those endpoints that are off. */
export const failQueued = (db: WriteDb, endpoints: readonly EndpointKey[], now: string) =>
  forEachAccount(db, endpoints, (some) => {
    const [accounts, ids] = columnsOf(some)
    return namedWrite<never>(db, ...chosen(db, statements.FAIL_QUEUED, accounts, [accounts, ids, now]))
  })

export const release = (db: WriteDb, process: string, endpoints: readonly EndpointKey[]) =>
  forEachAccount(db, endpoints, (some) => {
    const [accounts, ids] = columnsOf(some)
    return namedWrite<never>(db, ...chosen(db, statements.RELEASE, accounts, [accounts, ids, process]))
  })
