import { assert } from '../../../core/assert.ts'
import { camelOf } from '../../../platform/db/names.ts'
import { type Db, isSharded, named, namedWrite, type Tx, type WriteDb } from '../../../platform/db/open.ts'
import { ownRows } from '../../../platform/db/own-rows.ts'
import { behindEdge, clusterOf, readEdge } from '../../../platform/log/edge.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { askReachable } from '../../../platform/sharding/holders.ts'
import * as statements from './statements-roll.ts'

/** A workspace, for work that has no request. */
export type Owner = { accountId: AccountId; now: string }
/** An outlet whose figures are kept for the days from `since` on; `isStale` when they are of another time zone, or none. */
export type StaleOutlet = { id: string; timezone: string; since: string; isStale: boolean }
/** Days of an outlet from `dayFrom` and before `dayTo`, with the instants at which those begin. */
export type Chunk = { id: string; timezone: string; dayFrom: string; dayTo: string; lo: string; hi: string }
export type Next = { tx: string; eventId: string; events: number; hasMore: boolean }

export async function listDue(db: WriteDb, oldest: string, limit: number) {
  const { cluster, xmin } = await readEdge(db)
  const values = [oldest, limit, cluster, xmin]
  return askReachable<{ accountId: AccountId }>(
    db,
    { table: 'outlets', where: 'true' },
    (of) => (of === null ? named(db, statements.DUE, values) : named(db, statements.DUE_OF, [...values, of])),
    limit,
  )
}

export const listAccounts = async (db: Db): Promise<AccountId[]> =>
  (await named<{ accountId: AccountId }>(db, statements.ACCOUNTS, [])).map(({ accountId }) => accountId)

export async function begin(db: WriteDb, { accountId, now }: Owner) {
  const edge = await readEdge(db)
  await namedWrite(db, statements.BEGIN, [accountId, now, edge.cluster, behindEdge(edge)])
}

/** Whether the locked position is lost; undefined while another process holds it. */
export const hold = async (tx: Tx, { accountId }: Owner, oldest: string) =>
  (await named<{ isLost: boolean }>(tx, statements.HOLD, [accountId, oldest, await clusterOf(tx)]))[0]
export const awaitHold = async (tx: Tx, { accountId }: Owner, oldest: string) =>
  (await named<{ isLost: boolean }>(tx, statements.AWAIT, [accountId, oldest, await clusterOf(tx)]))[0]

export async function restart(tx: Tx, { accountId, now }: Owner) {
  const edge = await readEdge(tx)
  await namedWrite(tx, statements.RESTART, [accountId, now, edge.cluster, behindEdge(edge)])
}

export async function findNext(tx: Tx, { accountId }: Owner, limit: number): Promise<Next> {
  const upTo = behindEdge(await readEdge(tx))
  const [next] = await named<Next>(tx, statements.NEXT, [accountId, limit, upTo])
  assert(next, 'the edge of the log is always known')
  return next
}

export async function roll(tx: Tx, owner: Owner, { tx: upTo, eventId }: Next) {
  const upto = [owner.accountId, upTo, eventId]
  if (isSharded(tx)) await addSums(tx, owner, await named(tx, statements.ROLL_SUMS, upto))
  await namedWrite(tx, isSharded(tx) ? statements.ROLL_MOVE : statements.ROLL, [...upto, owner.now])
}

async function addSums(tx: Tx, owner: Owner, [sums]: readonly statements.SumRows[]) {
  assert(sums, 'sums are one row, whatever there is to add up')
  for (const [name, add] of statements.ADD_ROWS) await add(tx, owner, sums[name].map(fieldsOf))
}

/** A row as the database prints it, by the names of the code. */
const fieldsOf = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [camelOf(column), value]))

export const listUndone = (db: Db, { accountId }: Owner) =>
  named<StaleOutlet>(db, statements.UNDONE, [accountId])

export const listOutlets = (db: Db, { accountId }: Owner) =>
  ownRows(db, { accountId }, 'outlets').select(['id', 'timezone']).orderBy('id').execute()

export async function forget(
  tx: Tx,
  { accountId }: Owner,
  { id, timezone }: Pick<StaleOutlet, 'id' | 'timezone'>,
) {
  const values = [accountId, id, timezone]
  if (!isSharded(tx)) return namedWrite(tx, statements.FORGET, values)
  for (const step of statements.FORGET_STEPS) await namedWrite(tx, step, [accountId, id])
  return namedWrite(tx, statements.FORGET_ANEW, values)
}

/** The last day with figures at the outlet before an instant; null if there is none. */
export async function findLatestDay(
  db: Db,
  { accountId }: Owner,
  { id, timezone }: Pick<StaleOutlet, 'id' | 'timezone'>,
  before: string,
): Promise<string | null> {
  const [row] = await named<{ day: string | null }>(db, statements.LATEST_BEFORE, [
    accountId,
    id,
    timezone,
    before,
  ])
  return row?.day ?? null
}

const valuesOf = ({ accountId }: Owner, { id, timezone, dayFrom, dayTo, lo, hi }: Chunk) => [
  accountId,
  id,
  timezone,
  dayFrom,
  dayTo,
  lo,
  hi,
]

export async function build(tx: Tx, owner: Owner, chunk: Chunk) {
  if (!isSharded(tx)) return namedWrite(tx, statements.BUILD, valuesOf(owner, chunk))
  await addSums(tx, owner, await named(tx, statements.BUILD_SUMS, valuesOf(owner, chunk)))
  return namedWrite(tx, statements.BUILD_SINCE, [owner.accountId, chunk.id, chunk.dayFrom])
}

/** Where figures and sales differ: the key of the figure, and by how much its columns are too high. */
export async function listDifferences(db: Db, owner: Owner, chunk: Chunk) {
  const found: { key: string; differences: string }[] = []
  for (const statement of statements.DIFFERENCES)
    found.push(...(await named<(typeof found)[number]>(db, statement, valuesOf(owner, chunk))))
  return found
}
