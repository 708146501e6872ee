import { assert } from '../../core/assert.ts'
import { inTx, isSharded, named, namedWrite, type WriteDb } from '../db/open.ts'
import { isWorkerLost } from '../db/pg-errors.ts'
import { workspacesWith } from '../sharding/holders.ts'
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

export const lease = async (
  db: WriteDb,
  by: { process: string; now: string; until: string; busy: readonly Pick<Leased, 'accountId' | 'id'>[] },
): Promise<Leased[]> => {
  const values = [by.now, by.process, by.until, by.busy.map(({ id }) => id)]
  if (!isSharded(db)) return namedWrite<Leased>(db, statements.LEASE, values)
  const waiting: readonly string[] = await workspacesWith(db, {
    table: 'webhookDeliveries',
    where: `status = 'pending' and due_at <= $1::timestamptz`,
    values: [by.now],
  })
  const accounts = new Set([...waiting, ...by.busy.map(({ accountId }) => accountId)])
  return inReach([...accounts], (accountId) =>
    namedWrite<Leased>(db, statements.LEASE_IN_ONE, [...values, accountId]),
  )
}

/** Workspaces asked at once where each is asked by itself: less than half of the connections that a process has. */
const AT_ONCE = 4

/** Does the same for each workspace; what lies on a worker that is out of reach waits for it, and for nobody else. */
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

function byAccount<R extends { accountId: string }>(rows: readonly R[]): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const known = groups.get(row.accountId)
    if (known) known.push(row)
    else groups.set(row.accountId, [row])
  }
  return groups
}

export type Due = {
  accountId: string
  id: string
  subscriptionId: string
  eventId: string
  attempts: number
  byHand: boolean
  /** Its place among those of its workspace that are known or will be. */
  turn: number
  dueAt: string
  /** Null once the event is no longer kept. */
  body: string | null
}
/** How many more deliveries of an endpoint are wanted, beside those that are known, of it and of its workspace. */
export type Room = Pick<Leased, 'accountId' | 'id'> & {
  room: number
  known: readonly string[]
  ofWorkspace: number
}

export async function due(db: WriteDb, now: string, rooms: readonly Room[], free: number): Promise<Due[]> {
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
  if (!isSharded(db)) return named<Due>(db, statements.DUE, values(rooms))
  const groups = byAccount(rooms)
  const found = await inReach([...groups.keys()], (accountId) =>
    named<Due>(db, statements.DUE_IN_ONE, [...values(groups.get(accountId) ?? []), accountId]),
  )
  return found
    .sort((a, b) => a.turn - b.turn || (a.dueAt < b.dueAt ? -1 : Number(a.dueAt > b.dueAt)))
    .filter(({ turn }, before) => turn <= statements.KNOWN_PER_FREE * (free - before))
}

/** A statement and its values, for the rows of `accounts`: the last value of that for one names it. */
function chosen<S>(
  db: WriteDb,
  { any, one }: { any: S; one: S },
  accounts: readonly string[],
  values: unknown[],
): readonly [S, unknown[]] {
  if (!isSharded(db)) return [any, values]
  assert(new Set(accounts).size === 1, 'spread over workers, workspaces are written one by one')
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

export type Finished = {
  accountId: string
  id: string
  subscriptionId: string
  status: 'pending' | 'succeeded' | 'failed'
  dueAt: string | null
  attempt: Attempt
}

/**
 * Records finished attempts in one transaction, those of one workspace where rows are spread over workers: the endpoints
 * first, as everybody locks them, then the deliveries. `decide` says what becomes of an endpoint; those that go off
 * fail all that is queued for them.
 */
export const record = (
  db: WriteDb,
  now: string,
  finished: readonly Finished[],
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
      ]),
    )
    const off = changes.filter(({ status }) => status !== 'active')
    if (off.length > 0) await failQueued(tx, off, now)
    return changes
  })

type Named = Pick<Endpoint, 'accountId' | 'id'>

/** Writes the same of endpoints of any workspaces, one workspace after the other where they are spread over workers. */
async function ofEach(
  db: WriteDb,
  endpoints: readonly Named[],
  write: (some: readonly Named[]) => Promise<never[]>,
) {
  if (!isSharded(db)) return write(endpoints)
  const groups = byAccount(endpoints)
  return inReach([...groups.keys()], (accountId) => write(groups.get(accountId) ?? []))
}

const columnsOf = (endpoints: readonly Named[]) =>
  [endpoints.map((one) => one.accountId), endpoints.map((one) => one.id)] as const

/** What was queued for endpoints that went off at the same moment. */
export const failQueued = (db: WriteDb, endpoints: readonly Named[], now: string) =>
  ofEach(db, endpoints, (some) => {
    const [accounts, ids] = columnsOf(some)
    return namedWrite<never>(db, ...chosen(db, statements.FAIL_QUEUED, accounts, [accounts, ids, now]))
  })

export const release = (db: WriteDb, process: string, endpoints: readonly Named[]) =>
  ofEach(db, endpoints, (some) => {
    const [accounts, ids] = columnsOf(some)
    return namedWrite<never>(db, ...chosen(db, statements.RELEASE, accounts, [accounts, ids, process]))
  })
