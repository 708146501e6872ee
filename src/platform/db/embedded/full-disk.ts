import { setTimeout as sleep } from 'node:timers/promises'
import { directoriesOf, readLeastFreeBytes, STARTING_BYTES } from '../../files/free-space.ts'
import type { Launch } from './postmaster.ts'

const LOOK_MS = 5_000
/**
 * The measured free space may be wrong, so a start is tried after this time anyway. Reminders use the same interval.
 */
const LONGEST_WAIT_MS = 60_000
const NO_SPACE = /No space left on device|Disk quota exceeded/

/** Makes restarts wait, without a limit, while the disk of PostgreSQL is full. */
export function watchFullDisk({ cluster, say }: Pick<Launch, 'cluster' | 'say'>, signal: AbortSignal) {
  let saidMs = Number.NEGATIVE_INFINITY
  // If the disk cannot be measured, it counts as not full.
  const freeBytes = () => readLeastFreeBytes(directoriesOf(cluster)).catch(() => Number.POSITIVE_INFINITY)

  const remind = async () => {
    if (performance.now() - saidMs < LONGEST_WAIT_MS) return false
    saidMs = performance.now()
    const free = Math.floor((await freeBytes()) / 2 ** 20)
    const measured = Number.isFinite(free) ? `${free} MiB free in ${cluster}` : cluster
    say(
      `No space left on the database's disk (${measured}): nothing can be sold. Free some space; PostgreSQL then starts by itself.`,
    )
    return true
  }
  return {
    /** `failure` is the message of a failed start. */
    isFull: async (failure = '') => NO_SPACE.test(failure) || (await freeBytes()) < STARTING_BYTES,
    /** Waits for space, one minute at most. Returns whether it logged a reminder, at most one a minute. */
    waitForSpace: async (): Promise<boolean> => {
      const isSaid = await remind()
      const began = performance.now()
      do {
        await sleep(LOOK_MS, null, { signal }).catch(() => null)
      } while (
        !signal.aborted &&
        performance.now() - began < LONGEST_WAIT_MS &&
        (await freeBytes()) < STARTING_BYTES
      )
      return isSaid
    },
  }
}
