import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import { errorFields } from '../log/error-text.ts'
import { LEASE_MS } from './board.ts'
import * as store from './store.ts'

/**
 * A background job that the service repeats: one process of the installation runs it at a time. A process may die
 * during a run, and a frozen one may overlap with its successor. A run must therefore tolerate an interruption and a
 * concurrent run: it takes its rows with `skip locked`, in small portions, and checks `stop` between them.
 */
export type Job = {
  /** Unique, the key of its row: when a job is dropped, a migration deletes its row. */
  name: string
  /** The delay from the end of a run to the next, ± 10 %. */
  everyMs: number
  /** A cheap check for work: while there is none, a frequent job writes nothing. */
  hasWork?(tools: Deps): Promise<boolean>
  run(tools: Deps, stop: AbortSignal): Promise<void>
}

export const job = (spec: Job): Job => spec

/** A stop waits this long for runs to end; then it releases them and the next process continues. */
const STOP_MS = 2_000
/** The jitter of the first look, so that processes that start together do not look together. */
const FIRST_LOOK_MS = 1_000
const LONGEST_FAILURE = 300

/** A run of another process, and since when its beat has not changed, by this process's monotonic clock. */
export type ObservedRun = { beat: number; sinceMs: number }

/**
 * The delay before the job may be taken, 0 for now. Whether a run is dead depends only on how long
 * its beat has not changed, never on a wall clock. A job due later than possible is due now: the clock of the
 * database was set back.
 */
export function waitOf(
  row: Pick<store.JobRow, 'beat' | 'running' | 'waitMs'>,
  seen: ObservedRun | undefined,
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

/** An unfinished run of this process; releasing it lets the next process continue immediately. */
type RunLease = { giveUp(): Promise<unknown> }
type Frame = { tools: Deps; stop: AbortSignal; leaseMs: number; held: Set<RunLease> }

/** Runs the jobs until the service stops. A failing job does not stop the others and runs again later. */
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

/** Checks once whether the job is due, and runs it; returns the delay before the next look. */
function looker(frame: Frame, one: Job): () => Promise<number> {
  const { tools, leaseMs } = frame
  const { name, everyMs } = one
  let seen: ObservedRun | undefined
  return async () => {
    const row = await store.find(tools.db, name, jittered(everyMs))
    tools.jobs.set(name, row)
    const nowMs = performance.now()
    const waitMs = waitOf(row, seen, { nowMs, everyMs, leaseMs })
    if (row.running && seen?.beat !== row.beat) seen = { beat: row.beat, sinceMs: nowMs }
    if (waitMs > 0) return waitMs
    const nextMs = jittered(everyMs)
    // A failed job runs once more even without work, so that its failure does not stay on record.
    const mayBeIdle = one.hasWork && row.failure === null && !row.running
    if (mayBeIdle && !(await one.hasWork?.(tools))) return nextMs
    if (!(await store.begin(tools.db, name, row.beat))) return nextMs
    const unfinishedRuns = row.unfinishedRuns + Number(row.running)
    tools.jobs.set(name, { ...row, running: true, unfinishedRuns, startedAt: tools.clock.now() })
    await runTaken(frame, one, { beat: row.beat + 1, nextMs })
    tools.jobs.set(name, await store.find(tools.db, name, nextMs))
    return nextMs
  }
}

/** Runs a job that this process has taken, with a heartbeat for as long as it runs. */
async function runTaken(frame: Frame, one: Job, { beat, nextMs }: { beat: number; nextMs: number }) {
  const { tools, stop, held } = frame
  const { name } = one
  const life = beating(frame, name, beat)
  const run: RunLease = { giveUp: async () => store.release(tools.db, name, await life.end()) }
  held.add(run)
  try {
    const failure = await one
      .run(tools, AbortSignal.any([stop, life.lost]))
      .then(() => null)
      .catch((error: unknown) => {
        if (!stop.aborted) tools.log.warn({ err: error, job: name }, 'a job failed; it will run again later')
        return errorFields(error).message.slice(0, LONGEST_FAILURE)
      })
    // A run that a stop interrupted is due immediately, for the next process.
    if (stop.aborted) await run.giveUp()
    else await store.end(tools.db, name, { beat: await life.end(), nextMs, failure })
  } finally {
    held.delete(run)
  }
}

/**
 * Increments the beat of a run three times per lease. `lost` reports that another process has the job by now, or may
 * have: the run must end, and its own writes match no row.
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
    /** Stops the heartbeat and returns the last beat. */
    end: async () => {
      clearInterval(timer)
      await beats
      return beat
    },
  }
}
