import type { JobRow } from './store.ts'

/** The state of a job, for health; instants are from the database's clock. */
export type JobState = {
  name: string
  status: 'ok' | 'failing' | 'waiting'
  lastRunAt: string | null
  /** When the present run began; null between runs. */
  runningSince: string | null
  /** How many runs in a row began but never ended. */
  unfinishedRuns: number
  lastFailureAt: string | null
}

/**
 * One unfinished run means a process was killed or restarted. Two in a row mean the job kills or hangs its process.
 */
export const UNFINISHED_LIMIT = 2

/**
 * After this long without a heartbeat a run is dead: its process was killed, frozen, or cut off from the database.
 */
export const LEASE_MS = 30_000

/** A run takes seconds. One that takes longer than this hangs, or has far more work than a run should have. */
export const LONG_RUN_MS = 600_000

/** The last known state of the jobs: health must not wait for the database. */
export type JobBoard = {
  set(
    name: string,
    row: Pick<JobRow, 'running' | 'unfinishedRuns' | 'startedAt' | 'failedAt' | 'failure'>,
  ): void
  list(): JobState[]
}

/** A run counts as hanging by this process's monotonic clock, from when it saw the run first. */
type SeenState = JobState & { seenMs: number }

export function createJobBoard(monotonicMs: () => number = () => performance.now()): JobBoard {
  const states = new Map<string, SeenState>()
  const asOfNow = ({ seenMs, ...state }: SeenState): JobState =>
    state.runningSince !== null && monotonicMs() - seenMs > LONG_RUN_MS
      ? { ...state, status: 'failing' }
      : state
  return {
    set: (name, { running, unfinishedRuns, startedAt, failedAt, failure }) => {
      const isFailing = failure !== null || unfinishedRuns >= UNFINISHED_LIMIT
      const status = startedAt === null ? 'waiting' : isFailing ? 'failing' : 'ok'
      const runningSince = running ? startedAt : null
      const before = states.get(name)
      states.set(name, {
        name,
        status,
        lastRunAt: startedAt,
        runningSince,
        unfinishedRuns,
        lastFailureAt: failedAt,
        seenMs: before && before.runningSince === runningSince ? before.seenMs : monotonicMs(),
      })
    },
    list: () => [...states.values()].map(asOfNow).sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}
