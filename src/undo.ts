import { setTimeout as sleep } from 'node:timers/promises'

/** Stops everything that was started, within `leftMs` if possible. */
export type Undo = (leftMs: number) => Promise<void>

/** What each later step gets, however long an earlier one takes. */
const LEAST_MS = 500

/**
 * A step that fails, or does not end in time, must not prevent the later ones, in particular stopping the database. Throws
 * the first fault at the end.
 */
export async function undoAll(steps: readonly Undo[], untilMs: number) {
  const faults: unknown[] = []
  for (const [index, step] of steps.entries()) {
    const leftMs = untilMs - performance.now()
    const later = (steps.length - 1 - index) * LEAST_MS
    await withinMs(Math.max(leftMs - later, LEAST_MS), step(leftMs)).catch((error: unknown) =>
      faults.push(error),
    )
  }
  if (faults.length > 0) throw faults[0]
}

/** A connection on which the database is silent, for example, may hold up a step for hours. */
async function withinMs(ms: number, step: Promise<void>) {
  const ended = new AbortController()
  const timeout = sleep(ms, undefined, { signal: ended.signal }).then(() => {
    throw new Error('A part of the service did not stop in time')
  })
  try {
    await Promise.race([step, timeout])
  } finally {
    ended.abort()
    timeout.catch(() => {})
  }
}

/** Waits for all of them, even if one fails. */
export async function together(ends: readonly Promise<void>[]) {
  const results = await Promise.allSettled(ends)
  const failed = results.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
