import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from './deps.ts'
import { errorFields } from './error-text.ts'
import * as store from './job-store.ts'

/**
 * Work that the service does by itself, again and again: one process of the installation runs it at a time. A process may
 * die in it, and one that was frozen may find another at the same work for a moment, so a run must bear to be cut off and
 * to meet a second one: it takes its rows with `skip locked`, in small portions, and looks at `stop` between them.
 */
export type Job = {
  /** Unique, the key of its row: a job that goes takes its row along by a migration. */
  name: string
  /** From the end of a run to the next, give or take a tenth. */
  everyMs: number
  /** A cheap look for something to do: while there is nothing, a job that is due often writes nothing. */
  hasWork?(tools: Deps): Promise<boolean>
  run(tools: Deps, stop: AbortSignal): Promise<void>
}

export const job = (spec: Job): Job => spec

/** A run that gave no sign for this long has died: its process was killed, frozen, or cut off from the database. */
const LEASE_MS = 30_000
/** A stop waits this long for runs to end; then they are given up and the next process goes on. */
const STOP_MS = 2_000
/** Of the first look, so that processes that start together do not look together. */
const FIRST_LOOK_MS = 1_000
const LONGEST_FAILURE = 300

/** A run of somebody else's, and since when its beat stands still, by this process's own watch. */
export type Seen = { beat: number; sinceMs: number }

/**
 * When to take a job: 0 for now, else how long to wait before the next look. No wall clock decides whether a run is dead,
 * only how long its beat has stood still before our eyes. A job that is due later than it can be is due now: the clock of
 * the database was set back.
 */
export function waitOf(
  row: Pick<store.JobRow, 'beat' | 'running' | 'waitMs'>,
  seen: Seen | undefined,
  { nowMs, everyMs, leaseMs }: { nowMs: number; everyMs: number; leaseMs: number },
): number {
  if (row.running) {
    const left = leaseMs - (seen?.beat === row.beat ? nowMs - seen.sinceMs : 0)
    return Math.max(0, Math.min(left, everyMs))
  }
  return row.waitMs > 2 * everyMs ? 0 : Math.max(0, row.waitMs)
}

const jittered = (ms: number) => ms * (0.9 + Math.random() / 5)

export type WorkerTuning = { leaseMs: number; stopMs: number }

/** A run that this process has taken and not ended yet; giving it up lets the next process go on at once. */
type Held = { giveUp(): Promise<unknown> }
type Frame = { tools: Deps; stop: AbortSignal; leaseMs: number; held: Set<Held> }

/** Runs the jobs for as long as the service runs. A job that fails stops none of the others and runs again later. */
export function startWorker(
  tools: Deps,
  jobs: readonly Job[],
  { leaseMs = LEASE_MS, stopMs = STOP_MS }: Partial<WorkerTuning> = {},
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)
  const frame: Frame = { tools, stop: stopping.signal, leaseMs, held: new Set() }
  const loops = jobs.map((one) => loop(frame, one))
  const within = (ended: Promise<unknown>) => Promise.race([ended, sleep(stopMs, undefined, { ref: false })])
  return {
    stop: async () => {
      stopping.abort()
      await within(Promise.all(loops))
      await within(Promise.allSettled([...frame.held].map((run) => run.giveUp())))
    },
  }
}

async function loop(frame: Frame, one: Job): Promise<void> {
  const { tools, stop } = frame
  const look = looker(frame, one)
  let waitMs = Math.random() * Math.min(FIRST_LOOK_MS, one.everyMs)
  for (;;) {
    await sleep(waitMs, undefined, { signal: stop, ref: false }).catch(() => {})
    if (stop.aborted) return
    waitMs = await look().catch((error: unknown) => {
      tools.log.warn({ err: error, job: one.name }, 'could not look at a job; trying again later')
      return jittered(one.everyMs)
    })
  }
}

/** Looks once whether the job is to be run, and runs it; answers how long to wait before the next look. */
function looker(frame: Frame, one: Job): () => Promise<number> {
  const { tools, leaseMs } = frame
  const { name, everyMs } = one
  let seen: Seen | undefined
  return async () => {
    const row = await store.find(tools.db, name, jittered(everyMs))
    tools.jobs.set(name, row)
    const nowMs = performance.now()
    const waitMs = waitOf(row, seen, { nowMs, everyMs, leaseMs })
    if (row.running && seen?.beat !== row.beat) seen = { beat: row.beat, sinceMs: nowMs }
    if (waitMs > 0) return waitMs
    const nextMs = jittered(everyMs)
    // What failed is run once more even without work, so that it does not read as failing for good.
    const mayBeIdle = one.hasWork && row.failure === null && !row.running
    if (mayBeIdle && !(await one.hasWork?.(tools))) return nextMs
    if (!(await store.begin(tools.db, name, row.beat))) return nextMs
    await runTaken(frame, one, { beat: row.beat + 1, nextMs })
    tools.jobs.set(name, await store.find(tools.db, name, nextMs))
    return nextMs
  }
}

/** Runs a job that this process has taken, with a sign of life for as long as it runs. */
async function runTaken(frame: Frame, one: Job, { beat, nextMs }: { beat: number; nextMs: number }) {
  const { tools, stop, held } = frame
  const { name } = one
  const life = beating(frame, name, beat)
  const run: Held = { giveUp: async () => store.release(tools.db, name, await life.end()) }
  held.add(run)
  try {
    const failure = await one
      .run(tools, AbortSignal.any([stop, life.lost]))
      .then(() => null)
      .catch((error: unknown) => {
        if (!stop.aborted) tools.log.warn({ err: error, job: name }, 'a job failed; it will run again later')
        return errorFields(error).message.slice(0, LONGEST_FAILURE)
      })
    // What a stop cut off is due at once, for the next process.
    if (stop.aborted) await run.giveUp()
    else await store.end(tools.db, name, await life.end(), nextMs, failure)
  } finally {
    held.delete(run)
  }
}

/**
 * Raises the beat of a run three times in a lease. `lost` tells that somebody else has the job by now, or may have: then
 * the run is to end, and what it writes of itself finds no row.
 */
function beating({ tools, leaseMs }: Frame, name: string, taken: number) {
  const lost = new AbortController()
  const everyMs = leaseMs / 3
  let beat = taken
  let signMs = performance.now()
  let beats: Promise<void> | undefined
  const raise = async () => {
    const isOurs = await store.keep(tools.db, name, beat).catch(() => null)
    if (isOurs) {
      beat += 1
      signMs = performance.now()
    }
    if (isOurs === false || performance.now() - signMs > leaseMs - everyMs) lost.abort()
  }
  const timer = setInterval(() => {
    beats ??= raise().finally(() => {
      beats = undefined
    })
  }, everyMs)
  timer.unref()
  return {
    lost: lost.signal,
    /** Stops the beats and answers the last one. */
    end: async () => {
      clearInterval(timer)
      await beats
      return beat
    },
  }
}
