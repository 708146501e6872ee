import {
  FAULTS,
  type Fault,
  type JobReason,
  type JobStatus,
  type PrinterKind,
} from '../../../core/printing.ts'
import { addMs } from '../../../core/time.ts'

/** Tries of one printer, and when the second and third are due after the try before (B-print-4). */
export const TRIES = 3
const DELAYS_MS = [2_000, 8_000]
/** A job that was not printed in this time waits for a person (B-print-6). */
export const TOO_OLD_MS = 30 * 60_000
/** A till that took a job and does not report has this long; then its outcome is unknown. */
export const TILL_LEASE_MS = 60_000

/** The end of a queued job: the service tries when it is due, and a till may take it until it expires. */
export const lookAtOf = (
  kind: PrinterKind,
  { dueAt, queuedAt }: { dueAt: string; queuedAt: string },
): string => (kind === 'NETWORK' ? dueAt : addMs(queuedAt, TOO_OLD_MS))

export type JobTry = {
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
 * What becomes of a job after a try. `own` is its printer, `fallback` the one that takes over after three tries; null
 * if there is none.
 */
export function afterTry(
  job: JobTry,
  outcome: Outcome,
  { own, fallback, now }: { own: NextPrinter; fallback: NextPrinter | null; now: string },
): JobChange {
  const { attempts, queuedAt, startedAt } = job
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
  const next = triesHere === 0 ? fallback : own
  if (next === null) {
    return { status: 'failed', reason, copy, printerId: own.id, dueAt: null, lookAt: null, printedAt: null }
  }
  const planned = triesHere === 0 ? now : addMs(startedAt, DELAYS_MS[triesHere - 1] ?? 0)
  const dueAt = planned < now ? now : planned
  const lookAt = lookAtOf(next.kind, { dueAt, queuedAt })
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
