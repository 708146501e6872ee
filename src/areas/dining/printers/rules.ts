import {
  FAULTS,
  type Fault,
  type JobKind,
  type JobReason,
  type JobStatus,
  type PrinterKind,
} from '../../../core/printing.ts'
import { addMs } from '../../../core/time.ts'

/** Tries of one printer, and when the second and third are due after the try before (B-print-4). */
export const TRIES = 3
const DELAYS_MS = [2_000, 8_000]
/** A job that was not printed in this time waits for a person (B-print-6). */
const TOO_OLD_MS = 30 * 60_000
/** A drawer opens while the member who opened it stands there, or not at all (B-drawer-2). */
const DRAWER_TOO_OLD_MS = 30_000
/** A till that took a job and does not report has this long; then its outcome is unknown. */
export const TILL_LEASE_MS = 60_000

/** A till that takes no job of its printer for this long is away, and paper goes to the fallback printer (B-print-4). */
export const TILL_AWAY_MS = 60_000

/** When the service looks at a queued job: to try it, to see whether its till is away, or because it is too old. */
export const lookAtOf = (
  printer: PrinterKind,
  { kind, dueAt, queuedAt }: { kind: JobKind; dueAt: string; queuedAt: string },
): string => {
  if (printer === 'NETWORK') return dueAt
  return kind === 'DRAWER' ? addMs(queuedAt, DRAWER_TOO_OLD_MS) : addMs(dueAt, TILL_AWAY_MS)
}

/** Jobs that were queued before are too old. */
export type OldestJobs = { paper: string; drawer: string }
export const oldestJobs = (now: string): OldestJobs => ({
  paper: addMs(now, -TOO_OLD_MS),
  drawer: addMs(now, -DRAWER_TOO_OLD_MS),
})

type DrawerJob = {
  kind: JobKind
  opensDrawer: boolean
  reprint: boolean
  queuedAt: string
  printerId: string
  firstPrinterId: string
}
/**
 * Whether a job opens the drawer at its present printer. A reprint, a late receipt and a fallback printer, which is at another
 * counter, leave it closed.
 */
export function opensDrawerNow(job: DrawerJob, now: string): boolean {
  if (!job.opensDrawer || job.reprint || job.printerId !== job.firstPrinterId) return false
  return job.kind === 'DRAWER' || job.queuedAt >= oldestJobs(now).drawer
}

export type JobTry = {
  kind: JobKind
  attempts: number
  copy: boolean
  queuedAt: string
  startedAt: string
  printerId: string
}
export type Outcome = { isPrinted: true } | { isPrinted: false; reason: Fault; mayHavePrinted: boolean }
type NextPrinter = { id: string; kind: PrinterKind }

export type JobChange = {
  status: JobStatus
  reason: JobReason | null
  copy: boolean
  printerId: string
  dueAt: string | null
  lookAt: string | null
  printedAt: string | null
}

/**
 * What becomes of a job after a try. `own` is its printer, `fallback` the one that takes over paper after three tries; null
 * if there is none.
 */
export function afterTry(
  job: JobTry,
  outcome: Outcome,
  { own, fallback, now }: { own: NextPrinter; fallback: NextPrinter | null; now: string },
): JobChange {
  const { kind, attempts, queuedAt, startedAt } = job
  if (outcome.isPrinted) {
    return {
      status: 'printed',
      reason: null,
      copy: job.copy,
      printerId: own.id,
      dueAt: null,
      lookAt: null,
      printedAt: now,
    }
  }
  const { reason } = outcome
  const copy = job.copy || outcome.mayHavePrinted
  const triesHere = attempts % TRIES
  const successor = kind === 'DRAWER' ? null : fallback
  const next = triesHere === 0 ? successor : own
  if (next === null) {
    return { status: 'failed', reason, copy, printerId: own.id, dueAt: null, lookAt: null, printedAt: null }
  }
  const planned = triesHere === 0 ? now : addMs(startedAt, DELAYS_MS[triesHere - 1] ?? 0)
  const dueAt = planned < now ? now : planned
  const lookAt = lookAtOf(next.kind, { kind, dueAt, queuedAt })
  return { status: 'queued', reason, copy, printerId: next.id, dueAt, lookAt, printedAt: null }
}

/** A till says why it failed; a fault that is not known to come before the first byte may have printed. */
export const failureOf = (reason: Fault = 'NO_ANSWER'): Outcome => ({
  isPrinted: false,
  reason,
  mayHavePrinted: !FAULTS[reason],
})

/** Whether the fallback printers lead back to `id`. `fallbackOf` has the fallback of each printer of the outlet. */
export function isCycle(id: string, first: string, fallbackOf: ReadonlyMap<string, string | null>): boolean {
  const seen = new Set<string>()
  for (let at: string | null = first; at !== null && !seen.has(at); at = fallbackOf.get(at) ?? null) {
    if (at === id) return true
    seen.add(at)
  }
  return false
}
