import { isSharded, runText, type WriteDb } from './db/open.ts'
import { isWorkerLost } from './db/pg-errors.ts'
import { type Database, placementOf } from './db/tables.ts'
import type { Deps } from './deps.ts'
import { workspacesWith } from './sharding/holders.ts'
import { job } from './worker.ts'

const EVERY_MS = 10 * 60_000
/**
 * Rows of one statement: far below what its time limit allows, and a client that waits for one of them waits briefly.
 */
const BATCH = 5_000

/** Rows of a table that are removed once nobody asks for them any more; whoever owns the table says which. */
export type Expires = {
  table: keyof Database
  /** The primary key, in the names of the database: a portion is chosen by it and then removed. */
  key: readonly string[]
  /** What tells the age of a row, and is indexed: behind `account_id` where workspaces are swept one by one. */
  column: string
  /** Rows whose `column` is before this have expired; `nowMs` and `now` are the same instant. */
  before(now: string, nowMs: number): string
  /**
   * True for what every workspace writes all day: each is swept by itself, through an index that begins with it. Where
   * workspaces are spread over workers all rows of them are swept so, since no statement may lock those of several.
   */
  byWorkspace?: boolean
  /** Of the rows of the table only these, in SQL. */
  only?: string
}

const nameOf = ({ table }: Expires) => table.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const and = (condition: string | undefined) => (condition === undefined ? '' : ` and ${condition}`)

/**
 * Removes a portion of what is older than $1, of the workspace $2 where they are swept one by one. The condition stands
 * twice: a row that was renewed between the choice and the deletion is no longer old. Rows that somebody holds are left
 * for the next sweep.
 */
function removalOf(rows: Expires, singly: boolean): string {
  const [table, key] = [nameOf(rows), rows.key.join(', ')]
  const old = `${rows.column} < $1${singly ? ' and account_id = $2' : ''}${and(rows.only)}`
  const order = rows.byWorkspace ? ` order by ${rows.column}` : ''
  return `delete from ${table} where ${old} and (${key}) in (select ${key}
    from ${table} where ${old}${order} limit ${BATCH} for update skip locked)`
}

/** The workspaces that hold anything older than `edge`, by the index that there is. */
async function holdersOf(db: WriteDb, rows: Expires, edge: string): Promise<readonly string[]> {
  const { table } = rows
  if (isSharded(db))
    return workspacesWith(db, { table, where: `${rows.column} < $1${and(rows.only)}`, values: [edge] })
  const text = `select a.account_id as "accountId" from accounts a where exists (
    select from ${nameOf(rows)} r where r.account_id = a.account_id and r.${rows.column} < $1${and(rows.only)})`
  return (await runText<{ accountId: string }>(db, text, [edge])).rows.map(({ accountId }) => accountId)
}

type Tools = Pick<Deps, 'db' | 'clock' | 'log'>

/**
 * Removes what has expired. Every reader checks the age itself or does without, so a late or repeated sweep changes no
 * answer. One failing table does not block the rest; the sweep throws once all others are done.
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
    const [text, edge] = [removalOf(rows, singly), rows.before(now, nowMs)]
    if (!singly) return remove(text, [edge])
    for (const accountId of await holdersOf(db, rows, edge)) {
      await remove(text, [edge, accountId]).catch((error: unknown) => {
        // The rows of one worker wait for it, those of all others go.
        if (!isWorkerLost(error)) throw error
        failed.push(error)
      })
    }
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

export const sweepJob = (expiring: readonly Expires[]) =>
  job({ name: 'sweep', everyMs: EVERY_MS, run: (tools, stop) => sweep(tools, expiring, stop) })
