import { setTimeout as sleep } from 'node:timers/promises'
import { epochMsOf } from '../../core/time.ts'
import { findNewestBackup } from '../backup/record.ts'
import type { Deps } from '../deps.ts'

/** The longest that a scrape waits for the database. */
const PATIENCE_MS = 1_000
const MS_PER_SECOND = 1_000

export type BackupTimes = { newest?: number; verified?: number }

/**
 * The times of the recorded backups in seconds since 1970. A database that does not answer in time costs no scrape: the
 * last known times are given. Concurrent callers share one query.
 */
export function watchBackups({ pool, clock }: Pick<Deps, 'pool' | 'clock'>): () => Promise<BackupTimes> {
  let known: BackupTimes = {}
  let looking: Promise<void> | undefined
  const look = async () => {
    const nowMs = epochMsOf(clock.now())
    const found = await findNewestBackup(pool, nowMs)
    if (found === undefined) return
    const secondsAt = (ageMs: number) => (nowMs - ageMs) / MS_PER_SECOND
    known = {
      newest: secondsAt(found.ageMs),
      ...(found.verifiedAgeMs === null ? {} : { verified: secondsAt(found.verifiedAgeMs) }),
    }
  }
  return async () => {
    looking ??= look()
      .catch(() => undefined)
      .finally(() => {
        looking = undefined
      })
    await Promise.race([looking, sleep(PATIENCE_MS, undefined, { ref: false })])
    return known
  }
}
