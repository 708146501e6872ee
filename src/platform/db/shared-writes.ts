import { isOutcomeUnknown, outcomeUnknown } from './pg-errors.ts'
import { type SharedBatch, sharedBatches } from './shared-batches.ts'

/**
 * Runs `work` once there is a free connection slot: one of the workspace, or a `shared` one for a statement that serves
 * several workspaces.
 */
type RunWithSlot = <T>(work: () => Promise<T>, slot?: 'shared') => Promise<T>

/** The answer for an entry that would have to wait for a lock in a statement that does not wait. */
export const BUSY: unique symbol = Symbol('busy')

type WaitingEntry<E, R> = {
  group: string
  entry: E
  within: RunWithSlot
  settle(answer: R): void
  fail(error: unknown): void
}

export type SharedWrites<E, R> = {
  /**
   * Writes some or all of the entries in one statement and answers for each in order; null if it wrote none at all.
   * If it does not wait for locks (`waits`), it answers BUSY for an entry that needs one.
   */
  write(entries: readonly E[], options: { waits: boolean }): Promise<readonly (R | typeof BUSY)[] | null>
  /** If two entries of a group have a key in common, the second goes in a later statement. */
  keysOf(entry: E): readonly string[]
  /** The error for an entry that arrives when too many wait, or has waited for too long: it is not written. */
  refuse(group: string): Error
  /** The most entries of a group that may wait. */
  most?: number
  /**
   * The longest that an entry waits for its first statement. Clients give up after a while: a longer queue would be written
   * for those who are gone, and those who still wait would be next to give up.
   */
  waitMs: number
}

/** Statements of all groups that run side by side; meanwhile the next entries gather. */
const LANES = 2
/** A statement that runs for longer, and much longer than usual, waits for a lock or a slot: its lane is free again. */
const PATIENCE_MS = 30
const MUCH_LONGER = 3
/** On a busy machine every statement is slow. A statement longer than this does not count for the usual duration. */
const SLOW_MS = 100
/** The weight of the last statement in the usual duration. */
const LAST_COUNTS = 1 / 8
const MOST_WAITING = 1_000

/**
 * Lets writers that arrive while statements are running share the next one: one round trip and one commit serve them
 * all. A statement takes an entry of each group in turn, so that no group fills it alone.
 *
 * No entry waits or fails for another. A statement of several groups waits for no lock: a BUSY entry is written again
 * by a statement of its group, which waits. A group has one such statement at a time, since two would only wait for
 * each other. A statement that fails is sent again for each of its entries by itself. If the outcome of a statement
 * is unknown, it is unknown for each of its entries.
 */
export function sharedWrites<E, R>({
  write,
  keysOf,
  refuse,
  most = MOST_WAITING,
  waitMs,
}: SharedWrites<E, R>) {
  const batches = sharedBatches<WaitingEntry<E, R>>(({ entry }) => keysOf(entry))
  let freeLanes = LANES
  let isDue = false
  let usualMs = 0

  const run = async (batch: SharedBatch<WaitingEntry<E, R>>) => {
    freeLanes -= 1
    let hasLane = true
    const leaveLane = () => {
      if (hasLane) freeLanes += 1
      hasLane = false
      pump()
    }
    const patience = setTimeout(leaveLane, patienceMs())
    const beganAt = performance.now()
    const busy = await send(write, batch)
    clearTimeout(patience)
    usualMs += (Math.min(performance.now() - beganAt, SLOW_MS) - usualMs) * LAST_COUNTS
    batches.end(batch, busy)
    leaveLane()
  }

  const patienceMs = () => Math.max(PATIENCE_MS, usualMs * MUCH_LONGER)

  const pump = () => {
    isDue = false
    for (let batch = nextBatch(); batch !== null; batch = nextBatch()) void run(batch)
    batches.watch(patienceMs(), pump)
  }
  const nextBatch = () => (freeLanes > 0 ? batches.next() : null)

  return (group: string, within: RunWithSlot, entry: E): Promise<R> =>
    new Promise<R>((settle, fail) => {
      if (batches.waitingOf(group) >= most) return fail(refuse(group))
      const timer = setTimeout(() => {
        if (batches.remove(waiting)) fail(refuse(group))
      }, waitMs)
      // Until it has ended, a timer would keep the entry in memory.
      const ended =
        <T>(report: (what: T) => void) =>
        (what: T) => {
          clearTimeout(timer)
          report(what)
        }
      const waiting = { group, entry, within, settle: ended(settle), fail: ended(fail) }
      batches.add(waiting)
      if (isDue) return
      isDue = true
      // Entries of one turn of the event loop share a statement.
      setImmediate(pump)
    })
}

type Write<E, R> = SharedWrites<E, R>['write']

/** Answers all entries but those that are BUSY, and returns these. */
async function send<E, R>(
  write: Write<E, R>,
  { entries, waits }: SharedBatch<WaitingEntry<E, R>>,
): Promise<readonly WaitingEntry<E, R>[]> {
  const [first] = entries
  if (!first) return []
  if (entries.length === 1 && waits) {
    await sendAlone(write, first)
    return []
  }
  const isMixed = entries.some(({ group }) => group !== first.group)
  const sent = entries.map(({ entry }) => entry)
  let hasBegun = false
  const writeAll = () => {
    hasBegun = true
    return write(sent, { waits })
  }
  try {
    const answers = await first.within(writeAll, isMixed ? 'shared' : undefined)
    if (answers !== null)
      return entries.filter((one, index) => {
        const answer = answers[index]
        if (answer === BUSY) return true
        one.settle(answer as R)
        return false
      })
  } catch (error) {
    if (isOutcomeUnknown(error)) {
      for (const one of entries) one.fail(outcomeUnknown(error.cause))
      return []
    }
    // The group got no slot in time, and each of its entries alone would wait for one again. Other groups may have a free one.
    if (!hasBegun && !isMixed) {
      for (const one of entries) one.fail(error)
      return []
    }
  }
  await Promise.all(entries.map((one) => sendAlone(write, one)))
  return []
}

async function sendAlone<E, R>(write: Write<E, R>, one: WaitingEntry<E, R>) {
  try {
    const answers = await one.within(() => write([one.entry], { waits: true }))
    one.settle((answers?.[0] ?? null) as R)
  } catch (error) {
    one.fail(error)
  }
}
