import {
  isKasirError,
  type PrintJob,
  printJobsGetContent,
  printJobsList,
  printJobsUpdate,
} from 'kasir-client'
import { isUnsettled } from '../app/outcome.ts'
import { call, callPage } from '../app/service.ts'
import { useSession } from '../app/session.ts'
import { serverNow } from '../offline/clock.ts'
import type { Outcome } from './attempt.ts'
import type { PrinterChoice } from './choice.ts'
import { printBytes } from './link.ts'
import { usePrinter } from './printer-store.ts'
import { unreported } from './unreported.ts'

const MOST = 100
/** A job that failed longer ago is in the list of the back office only. */
const SHOWN_MS = 30 * 60_000
const dismissed = new Set<string>()

const jobsOf = async ({ printer }: PrinterChoice, status: PrintJob['status']): Promise<readonly PrintJob[]> =>
  (await callPage<readonly PrintJob[]>(printJobsList, { printerId: printer.id, status, limit: MOST })).data

const byTurn = (a: PrintJob, b: PrintJob) => a.dueAt.localeCompare(b.dueAt) || a.id.localeCompare(b.id)

export async function readFailed(choice: PrinterChoice) {
  const jobs = await jobsOf(choice, 'failed')
  const nowMs = Date.parse(serverNow())
  const failed = jobs.filter(
    ({ id, updatedAt, reason }) =>
      !dismissed.has(id) && reason !== 'PRINTER_REMOVED' && nowMs - Date.parse(updatedAt) < SHOWN_MS,
  )
  usePrinter.setState({ failed })
}

/** The band shows these jobs no longer. */
export function dismiss(ids: readonly string[]) {
  for (const id of ids) dismissed.add(id)
  usePrinter.setState(({ failed }) => ({ failed: failed.filter(({ id }) => !dismissed.has(id)) }))
}

const bodyOf = (outcome: Outcome) =>
  outcome.isPrinted ? { status: 'printed' as const } : { status: 'failed' as const, reason: outcome.reason }

/** Reports an outcome, or keeps it for the next attempt if the service cannot be reached. */
async function report(id: string, outcome: Outcome) {
  unreported.keep(id, outcome)
  try {
    await call(printJobsUpdate, { id, ...bodyOf(outcome) })
  } catch (error) {
    if (isUnsettled(error)) throw error
    // The lease has expired, and the service has queued a copy. The outcome stays: takeJob reports the copy without printing it.
    if (outcome.isPrinted && isKasirError(error) && error.status === 409) return
  }
  unreported.remove(id)
}

export async function reportPendingOutcomes() {
  for (const [id, outcome] of unreported.all()) await report(id, outcome)
  unreported.removeOld()
}

/** Fails the jobs that a closed page left in print. Their outcome is unknown, so the next try is a copy. */
export async function failInterruptedJobs(choice: PrinterChoice) {
  for (const { id } of await jobsOf(choice, 'printing')) {
    if (unreported.isPrinted(id)) continue
    await report(id, { isPrinted: false, reason: 'INTERRUPTED', mayHavePrinted: true })
  }
}

/** The due jobs in their order, and the milliseconds until the next one is due. */
export async function readQueue(choice: PrinterChoice) {
  const jobs = (await jobsOf(choice, 'queued')).toSorted(byTurn)
  const now = serverNow()
  usePrinter.setState({ waiting: jobs.length })
  // A new job is always due: the clock of the service is known here to a second only, which would delay it.
  const isDue = ({ reason, dueAt }: PrintJob) => reason === null || dueAt <= now
  return {
    due: jobs.filter(isDue),
    nextMs: Math.min(
      ...jobs.filter((job) => !isDue(job)).map(({ dueAt }) => Date.parse(dueAt) - Date.parse(now)),
    ),
  }
}

const readContent = async (id: string): Promise<Uint8Array> =>
  new Uint8Array(await (await call(printJobsGetContent, { id, format: 'escpos' })).arrayBuffer())

/** Takes one job and prints it; false if another tab or till took it. */
export async function takeJob(
  choice: PrinterChoice,
  job: PrintJob,
  print: (bytes: Uint8Array) => Promise<Outcome> = (bytes) => printBytes(choice, bytes),
): Promise<boolean> {
  const { id } = job
  // The paper came out, and the report of it was lost.
  const isKnown = unreported.isPrinted(id) && !job.reprint
  let bytes = isKnown ? null : await readContent(id)
  try {
    const { job: taken } = await call(printJobsUpdate, { id, status: 'printing' })
    if (bytes !== null && taken.copy !== job.copy) bytes = await readContent(id)
  } catch (error) {
    if (isKasirError(error) && error.status === 409) return false
    throw error
  }
  await report(id, bytes === null ? { isPrinted: true } : await print(bytes))
  return true
}

export const isSignedIn = () => useSession.getState().member !== null
