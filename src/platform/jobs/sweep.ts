import { epochMsOf } from '../../core/time.ts'
import { isSharded, runText, type WriteDb } from '../db/open.ts'
import { isWorkerLost } from '../db/pg-errors.ts'
import { type Database, placementOf } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { searchWorkspaces } from '../sharding/holders.ts'
import * as clockStore from './store-sweep-clock.ts'
import { createSweepClock } from './sweep-clock.ts'
import { job } from './worker.ts'

const EVERY_MS = 10 * 60_000
/**
 * Rows per statement: far below the limit of its timeout, so a client that waits for one of the rows waits briefly.
 */
const BATCH = 5_000
/** Workspaces in one statement that looks for expired rows. */
const WORKSPACES = 1_000

/** Declares the expiring rows of a table; the area that owns the table declares them. */
export type Expires = {
  table: keyof Database
  /** The primary key, as database column names: a portion is selected by it and then deleted. */
  key: readonly string[]
  /**
   * The column that gives the age of a row. It is indexed, after `account_id` if workspaces are swept one by one.
   */
  column: string
  /** Rows whose `column` is before this have expired; `nowMs` and `now` are the same instant. */
  before(now: string, nowMs: number): string
  /**
   * True for tables that every workspace writes all day: each workspace is swept separately, through an index that
   * begins with it. In a sharded database all tables are swept this way, because no statement may lock rows of
   * several workspaces.
   */
  byWorkspace?: boolean
  /** An SQL condition that limits the sweep to some rows of the table. */
  only?: string
  /**
   * For rows among others that stay longer: the value of `column` at which a sweep begins after one at `sweptMs` that
   * left none behind. Without it each sweep reads all the others again. One table at most has it.
   */
  resumeAt?(sweptMs: number): string
}
/** The values of `column` that a sweep removes: from `start`, if one is known, up to `edge`. */
type Range = { start: string | null; edge: string }

const nameOf = ({ table }: Expires) => table.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const and = (condition: string | undefined) => (condition === undefined ? '' : ` and ${condition}`)

const since = ({ column }: Expires, { start }: Range, parameter: string) =>
  start === null ? '' : ` and ${column} >= ${parameter}`

/**
 * Deletes a portion of the rows older than $1, of workspace $2 if workspaces are swept one by one. The condition
 * is repeated in the delete, because a row may be renewed after it was selected. Locked rows are left for the next
 * sweep.
 */
function removalOf(rows: Expires, range: Range, singly: boolean): string {
  const [table, key] = [nameOf(rows), rows.key.join(', ')]
  const old = `${rows.column} < $1${singly ? ' and account_id = $2' : ''}${since(rows, range, '$3')}${and(rows.only)}`
  const order = rows.byWorkspace ? ` order by ${rows.column}` : ''
  return `delete from ${table} where ${old} and (${key}) in (select ${key}
    from ${table} where ${old}${order} limit ${BATCH} for update skip locked)`
}

const bounds = ({ start, edge }: Range) => (start === null ? [edge] : [edge, start])

type Holders = { accountIds: readonly string[]; isComplete: boolean }

/** The workspaces with rows in `range`, found through the existing index; incomplete if a worker is unreachable. */
async function holdersOf(db: WriteDb, rows: Expires, range: Range): Promise<Holders> {
  const { table } = rows
  const old = `${rows.column} < $1${since(rows, range, '$2')}${and(rows.only)}`
  if (isSharded(db)) return searchWorkspaces(db, { table, where: old, values: bounds(range) })
  const holders: string[] = []
  const { rows: accounts } = await runText<{ id: string }>(db, 'select account_id as id from accounts', [])
  for (let at = 0; at < accounts.length; at += WORKSPACES) {
    const portion = accounts.slice(at, at + WORKSPACES).map(({ id }) => id)
    const text = `select a.account_id as "accountId" from accounts a where exists (
    select from ${nameOf(rows)} r where r.account_id = a.account_id and ${old}) and a.account_id = any($${bounds(range).length + 1})`
    const found = await runText<{ accountId: string }>(db, text, [...bounds(range), portion])
    holders.push(...found.rows.map(({ accountId }) => accountId))
  }
  return { accountIds: holders, isComplete: true }
}

/** After a clock that was ahead, the remembered sweep is later than this one: then all rows are read again. */
async function rangeOf(db: WriteDb, rows: Expires, now: string, nowMs: number): Promise<Range> {
  const edge = rows.before(now, nowMs)
  const sweptAt = rows.resumeAt ? await clockStore.readSweptAt(db) : null
  const start = sweptAt !== null && rows.resumeAt ? rows.resumeAt(epochMsOf(sweptAt)) : null
  return { start: start !== null && start < edge ? start : null, edge }
}

type Tools = Pick<Deps, 'db' | 'clock' | 'log'>

/**
 * Removes expired rows. Every reader checks the age itself or does not depend on it, so a late or repeated sweep
 * changes no result. A failing table does not block the rest; the sweep throws after all others are done.
 */
export async function sweep({ db, clock, log }: Tools, expiring: readonly Expires[], stop?: AbortSignal) {
  const [now, nowMs] = [clock.now(), clock.ms()]
  const remove = async (text: string, values: string[]) => {
    let removed = BATCH
    while (removed === BATCH && !stop?.aborted) {
      const { count } = await runText(db, text, values)
      removed = count
    }
  }
  const failed: unknown[] = []
  const sweepOne = async (rows: Expires) => {
    const singly = rows.byWorkspace || (isSharded(db) && placementOf(rows.table) === 'account')
    const range = await rangeOf(db, rows, now, nowMs)
    const { start, edge } = range
    const text = removalOf(rows, range, singly)
    if (!singly) return remove(text, [edge])
    const before = failed.length
    const { accountIds, isComplete } = await holdersOf(db, rows, range)
    for (const accountId of accountIds) {
      await remove(text, [edge, accountId, ...(start === null ? [] : [start])]).catch((error: unknown) => {
        // If one worker is unreachable, its rows wait; those of all others are removed.
        if (!isWorkerLost(error)) throw error
        failed.push(error)
      })
    }
    // An unreachable worker may hold rows that this sweep did not see, so the next sweep must begin where it began.
    const isAllSwept = isComplete && failed.length === before && !stop?.aborted
    if (rows.resumeAt && isAllSwept) await clockStore.updateSweptAt(db, now)
  }
  for (const rows of expiring) {
    if (stop?.aborted) return
    await sweepOne(rows).catch((error: unknown) => {
      log.warn({ err: error, table: rows.table }, 'could not sweep a table; trying again later')
      failed.push(error)
    })
  }
  if (failed.length > 0) throw failed[0]
}

/** Sweeps only while the clock is trusted: a clock one year ahead would remove rows that must be kept for a year. */
export function sweepJob(expiring: readonly Expires[]) {
  const sweepClock = createSweepClock()
  return job({
    name: 'sweep',
    everyMs: EVERY_MS,
    run: async (tools, stop) => {
      const clock = await sweepClock.requireTrusted(tools)
      await sweep({ ...tools, clock }, expiring, stop)
    },
  })
}
