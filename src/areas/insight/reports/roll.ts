/**
 * Figures follow the sales (docs/decisions/0017-reports.md). A step is one transaction that locks the position of a
 * workspace. It counts final events and moves the position past them, or computes some days of an outlet from its
 * sales. Both happen or neither, so a crash in between loses no posting and counts none
 * twice.
 */
import { addDays, addMs, startOfDay } from '../../../core/time.ts'
import { inTx, type Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { dropTransactions } from '../../../platform/events/outbox.ts'
import { eachWorkspace } from '../../../platform/jobs/each-workspace.ts'
import { oldestPosition } from './store.ts'
import type { Chunk, Owner, StaleOutlet } from './store-roll.ts'
import * as store from './store-roll.ts'

/** Events of one step, which is well under a second of the database. */
const EVENTS = 2_000
/** Days of one step while the figures of an outlet are made. */
const DAYS = 10
/** Workspaces of one run. */
const WORKSPACES = 1_000
/** A position that is not moved for this long is moved although nothing happened: it must not grow too old. */
const IDLE_MS = 24 * 3_600_000

type Tools = Pick<Deps, 'db' | 'clock'>
const FAILURE = 'could not bring the figures of a workspace up to date; trying again later'

const idleSince = ({ clock }: Tools) => addMs(clock.now(), -IDLE_MS)

export const hasUnrolled = async (tools: Tools): Promise<boolean> =>
  (await store.listDue(tools.db, idleSince(tools), 1)).length > 0

/** Brings the figures of every workspace up to date. A failure for one workspace does not delay the others. */
export async function rollUp(tools: Tools & Pick<Deps, 'log'>, stop?: AbortSignal): Promise<void> {
  const due = await store.listDue(tools.db, idleSince(tools), WORKSPACES)
  await eachWorkspace({ log: tools.log, failure: FAILURE, stop }, due, ({ accountId }) =>
    rollWorkspace(tools, { accountId, now: tools.clock.now() }, stop),
  )
}

/** The same for one of them. It leaves a workspace that another process brings up to date. */
export async function rollWorkspace(tools: Tools, owner: Owner, stop?: AbortSignal): Promise<void> {
  await rollSteps(tools, owner, { hold: store.hold, stop })
}

/** The same, but waits for another process after each step: afterwards the figures of every outlet are made. */
export async function rollToEnd(tools: Tools, owner: Owner): Promise<void> {
  await rollSteps(tools, owner, { hold: store.awaitHold })
}

type RollOptions = { hold: typeof store.hold; stop?: AbortSignal | undefined }

async function rollSteps({ db }: Tools, owner: Owner, { hold, stop }: RollOptions) {
  await store.begin(db, owner)
  for (let more = true; more && !stop?.aborted; ) more = await inTx(db, (tx) => step(tx, owner, hold))
}

/** Answers whether there is more to do. */
async function step(tx: Tx, owner: Owner, hold: typeof store.hold): Promise<boolean> {
  const held = await hold(tx, owner, oldestPosition(owner.now))
  if (!held) return false
  if (held.isLost) return startOver(tx, owner)
  const next = await store.findNext(tx, owner, EVENTS)
  await store.roll(tx, owner, next)
  if (next.hasMore) return true
  const [undone] = await store.listUndone(tx, owner)
  if (undone) await buildMore(tx, owner, undone)
  return undone !== undefined
}

/** The numbers of transactions in the log mean nothing here, or the log no longer reaches back far enough. */
async function startOver(tx: Tx, owner: Owner): Promise<boolean> {
  if (await dropTransactions(tx, owner)) return true
  await store.restart(tx, owner)
  for (const outlet of await store.listOutlets(tx, owner)) await store.forget(tx, owner, outlet)
  return true
}

async function buildMore(tx: Tx, owner: Owner, outlet: StaleOutlet) {
  if (outlet.isStale) await store.forget(tx, owner, outlet)
  const since = outlet.isStale ? 'infinity' : outlet.since
  await store.build(tx, owner, await chunkBefore(tx, owner, { ...outlet, since }))
}

/**
 * The next days to build, backwards from `since`: a few days with sales, and all empty days before them. The last chunk
 * has no beginning.
 */
export async function chunkBefore(
  tx: Tx,
  owner: Owner,
  { id, timezone, since }: Pick<StaleOutlet, 'id' | 'timezone' | 'since'>,
): Promise<Chunk> {
  const hi = since === 'infinity' ? since : startOfDay(since, timezone)
  const latest = await store.findLatestDay(tx, owner, { id, timezone }, hi)
  const dayFrom = latest === null ? '-infinity' : addDays(latest, 1 - DAYS)
  const lo = latest === null ? '-infinity' : startOfDay(dayFrom, timezone)
  return { id, timezone, dayFrom, dayTo: since, lo, hi }
}
