import { addMs, epochMsOf } from '../../core/time.ts'
import type { Clock } from '../clock.ts'
import type { Deps } from '../deps.ts'
import * as store from './store-sweep-clock.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** How far a clock may deviate from the known time. */
const TOLERANCE_MS = DAY_MS
/** A later time is confirmed by a share of the jump in hours of operation, within these bounds (decision 0013). */
const CONFIRMING_SHARE = 24
const SHORTEST_MS = HOUR_MS
const LONGEST_MS = DAY_MS

/**
 * The installation's record of the time. `candidateMs` is a clock that jumped away from it and is not confirmed yet.
 */
export type SweepClock = { trustedMs: number; candidateMs: number | null; confirmedMs: number }

/**
 * The observations of one process. `uptimeMs` has passed since its last look, 0 for its first. `expectedMs` is where
 * the clock would be without a jump since this process last trusted it.
 */
export type ClockReading = {
  wallMs: number
  databaseMs: number
  uptimeMs: number
  expectedMs: number | null
}

export type ClockVerdict = { next: SweepClock; isTrusted: boolean; refusal: string | null }

/**
 * Decides whether rows may be removed by age under this clock. A clock that is behind only removes less, so only one
 * that is ahead is refused.
 */
export function judgeClock(known: SweepClock, reading: ClockReading): ClockVerdict {
  const { wallMs, databaseMs } = reading
  const latestMs = Math.max(known.trustedMs, reading.expectedMs ?? known.trustedMs) + TOLERANCE_MS
  const trusted = { trustedMs: wallMs, candidateMs: null, confirmedMs: 0 }
  if (wallMs > databaseMs + TOLERANCE_MS)
    return { next: known, isTrusted: false, refusal: aheadOfDatabase(wallMs, databaseMs) }
  if (wallMs >= known.trustedMs - TOLERANCE_MS && wallMs <= latestMs)
    return { next: trusted, isTrusted: true, refusal: null }
  const isBehind = wallMs < known.trustedMs
  // If this host's clock is also behind the database, it does not set the time of the others.
  if (wallMs < databaseMs - TOLERANCE_MS)
    return { next: known, isTrusted: false, refusal: isBehind ? null : aheadOfSweeps(wallMs, known, null) }
  const candidate = confirm(known, reading)
  const leftMs = confirmingMs(known.trustedMs, wallMs) - candidate.confirmedMs
  if (leftMs <= 0) return { next: trusted, isTrusted: true, refusal: null }
  return {
    next: candidate,
    isTrusted: false,
    refusal: isBehind ? null : aheadOfSweeps(wallMs, known, leftMs),
  }
}

const confirmingMs = (trustedMs: number, wallMs: number) =>
  Math.min(LONGEST_MS, Math.max(SHORTEST_MS, Math.abs(wallMs - trustedMs) / CONFIRMING_SHARE))

/**
 * Elapsed time counts once, however many processes look, and only while one runs. Another jump restarts the count.
 */
function confirm(known: SweepClock, { wallMs, uptimeMs }: ClockReading): SweepClock {
  const sinceMs = wallMs - (known.candidateMs ?? wallMs)
  const isSame = known.candidateMs !== null && Math.abs(sinceMs) <= TOLERANCE_MS + uptimeMs
  const confirmedMs = isSame ? known.confirmedMs + Math.min(uptimeMs, Math.max(0, sinceMs)) : 0
  return { trustedMs: known.trustedMs, candidateMs: wallMs, confirmedMs }
}

const instant = (ms: number) => addMs('1970-01-01T00:00:00.000Z', ms)
const inDays = (ms: number) => {
  const days = Math.round(ms / DAY_MS)
  return days === 1 ? '1 day' : `${days} days`
}

const aheadOfDatabase = (wallMs: number, databaseMs: number) =>
  `nothing was removed by age: this machine's clock (${instant(wallMs)}) is ${inDays(wallMs - databaseMs)} ahead of the database server's; set both by NTP`

const aheadOfSweeps = (wallMs: number, { trustedMs }: SweepClock, leftMs: number | null) =>
  `nothing was removed by age: the clock (${instant(wallMs)}) is ${inDays(wallMs - trustedMs)} ahead of the last sweep (${instant(trustedMs)}); ${
    leftMs === null
      ? 'set it and that of the database server by NTP'
      : `set it if it is wrong; if it is right, removal resumes after ${Math.ceil(leftMs / HOUR_MS)} more hours of operation`
  }`

type Tools = Pick<Deps, 'db' | 'clock'>

/** The state that `readClock` keeps in one process between two calls. */
type Memory = { lookMs: number | null; trusted: { wallMs: number; uptimeMs: number } | null }

/** Reads the clock once: a jump after the verdict must not change which rows are removed. */
const standingAt = (clock: Clock, ms: number): Clock => ({ ...clock, now: () => instant(ms), ms: () => ms })

/**
 * Judges the clock for the sweep, and stores the verdict for the next look of any process. Returns a clock fixed at
 * the earlier of the two clocks: within its tolerance a trusted clock can still be hours ahead, and a key lives for
 * 24 hours by both (B-key-3).
 */
export function createSweepClock(): { requireTrusted(tools: Tools): Promise<Clock> } {
  const memory: Memory = { lookMs: null, trusted: null }
  return {
    requireTrusted: async ({ db, clock }) => {
      const wallMs = clock.ms()
      const upMs = clock.uptimeMs()
      const { known, databaseMs } = await readKnown(db)
      const { trusted } = memory
      const { next, isTrusted, refusal } = judgeClock(known, {
        wallMs,
        databaseMs,
        uptimeMs: memory.lookMs === null ? 0 : upMs - memory.lookMs,
        expectedMs: trusted && trusted.wallMs + upMs - trusted.uptimeMs,
      })
      memory.lookMs = upMs
      if (isTrusted) memory.trusted = { wallMs, uptimeMs: upMs }
      const { trustedMs, candidateMs, confirmedMs } = next
      await store.update(db, {
        trustedAt: instant(trustedMs),
        candidateAt: candidateMs === null ? null : instant(candidateMs),
        confirmedMs: Math.round(confirmedMs),
      })
      if (refusal !== null) throw new Error(refusal)
      return standingAt(clock, Math.min(wallMs, databaseMs))
    },
  }
}

/** For the other jobs that remove by age: the same clock, refused where the sweep would refuse it; confirms nothing. */
export async function requireTrustedClock({ db, clock }: Tools): Promise<Clock> {
  const wallMs = clock.ms()
  const { known, databaseMs } = await readKnown(db)
  const { refusal } = judgeClock(known, { wallMs, databaseMs, uptimeMs: 0, expectedMs: null })
  if (refusal !== null) throw new Error(refusal)
  return standingAt(clock, Math.min(wallMs, databaseMs))
}

async function readKnown(db: Deps['db']): Promise<{ known: SweepClock; databaseMs: number }> {
  const { trustedAt, candidateAt, confirmedMs, databaseAt } = await store.read(db)
  return {
    known: {
      trustedMs: epochMsOf(trustedAt),
      candidateMs: candidateAt === null ? null : epochMsOf(candidateAt),
      confirmedMs,
    },
    databaseMs: epochMsOf(databaseAt),
  }
}
