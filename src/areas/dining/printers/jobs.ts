import { pageOf } from '../../../core/cursor.ts'
import { conflict, forbidden, malformed, notFound } from '../../../core/errors.ts'
import { addMs } from '../../../core/time.ts'
import { notATill } from '../../../platform/auth/till.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { isUniqueViolation } from '../../../platform/db/pg-errors.ts'
import { inSavepoint } from '../../../platform/db/savepoint.ts'
import { type Scope, touchBoard } from '../../../platform/scope.ts'
import { rowsOfJob } from './paper.ts'
import { afterTry, failureOf, lookAtOf, type Outcome, oldestJobs, TILL_LEASE_MS } from './rules.ts'
import type { JobPatch, JobQuery, PrintJob } from './schema.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

export async function listJobs(db: Db, scope: Scope, query: JobQuery) {
  return pageOf(await store.listJobs(db, scope, query), query.limit)
}

async function getJob(db: Db, scope: Scope, id: string): Promise<PrintJob> {
  const job = await store.findJob(db, scope, id)
  if (!job) throw notFound('print job')
  return job
}

/** The paper of a job as its next try prints it. */
export async function paperOfJob(db: Db, scope: Scope, id: string) {
  const job = await statements.findToPrint(db, scope, id)
  if (!job) throw notFound('print job')
  const failedPrinter = job.firstPrinterId === job.printerId ? null : (job.firstPrinterName ?? '')
  return { job, rows: rowsOfJob({ ...job, failedPrinter }) }
}

/**
 * A till takes one of its jobs, or reports what became of it (B-print-7). Throws 403 at any browser that is not the till of the
 * printer, and 409 if the job is not in the state that it must be in.
 */
export async function updateJob(
  tx: Tx,
  scope: Scope,
  id: string,
  { status, reason }: JobPatch,
): Promise<PrintJob> {
  const row = await store.lockJob(tx, scope, id)
  if (!row) throw notFound('print job')
  const { till } = scope.atTill
  if (till?.accountId !== scope.accountId || !(await store.isEnrolled(tx, scope, till))) throw notATill()
  const printer = await store.find(tx, scope, row.printerId)
  if (!printer) throw conflict('The printer of this job was deleted')
  if (printer.kind !== 'TILL')
    throw conflict(`The service itself prints on ${printer.name}; a till prints on TILL printers`)
  if (printer.tillId !== till.id) throw forbidden(`Another till prints on ${printer.name}`)
  if (reason !== undefined && status !== 'failed')
    throw malformed('reason', 'Only a job that failed has a reason')
  if (status === 'printing') await claim(tx, scope, row, till.id)
  else
    await report(
      tx,
      scope,
      { id, till: till.id },
      status === 'printed' ? { isPrinted: true } : failureOf(reason),
    )
  touchBoard(scope, 'print', row.outletId)
  return getJob(tx, scope, id)
}

type LockedJob = NonNullable<Awaited<ReturnType<typeof store.lockJob>>>

async function claim(tx: Tx, scope: Scope, job: LockedJob, till: string) {
  const { now } = scope
  if (job.status === 'printing') throw conflict('This job is being printed already')
  if (job.status !== 'queued') throw conflict(`This job is ${job.status}; reprint it to print it again`)
  if (job.dueAt > now) throw conflict(`The next try of this job is due at ${job.dueAt}`)
  const until = addMs(now, TILL_LEASE_MS)
  const claims = { by: till, now, until, oldest: oldestJobs(now) }
  // The unique index refuses a second job in print on this printer.
  const isTaken = await inSavepoint(tx, () => statements.claimOne(tx, scope, job.id, claims)).catch(
    (error: unknown) => {
      if (!isUniqueViolation(error)) throw error
      throw conflict('Another job is being printed on this printer; report on it first')
    },
  )
  if (isTaken) return
  throw conflict(
    job.kind === 'DRAWER'
      ? 'The drawer was opened more than 30 seconds ago; open it again with a reason'
      : 'This job is older than 30 minutes; reprint it to print it now',
  )
}

async function report(tx: Tx, scope: Scope, { id, till }: { id: string; till: string }, outcome: Outcome) {
  const job = await statements.findToPrint(tx, scope, id)
  if (job?.claimedBy !== till || !job.printer) {
    throw conflict('This till is not printing this job: take it first, with the status printing')
  }
  const startedAt = job.updatedAt
  const { printer: own, fallback } = job
  const change = afterTry({ ...job, startedAt }, outcome, { own, fallback, now: scope.now })
  await statements.settle(tx, scope, job, { ...change, now: scope.now })
}

/** Prints a job again at the printer that it was first for (B-print-8). */
export async function reprint(tx: Tx, scope: Scope, id: string): Promise<PrintJob> {
  const row = await store.lockJob(tx, scope, id)
  if (!row) throw notFound('print job')
  if (row.status === 'queued') throw conflict('This job is still waiting to be printed')
  if (row.status === 'printing') throw conflict('This job is being printed')
  if (row.kind === 'DRAWER') throw conflict('A drawer is not opened again: open it with a new reason')
  const printer = await store.find(tx, scope, row.firstPrinterId)
  if (!printer) throw conflict('The printer of this job was deleted')
  const copy = row.copy || row.status === 'printed'
  const lookAt = lookAtOf(printer.kind, { kind: row.kind, dueAt: scope.now, queuedAt: scope.now })
  await store.requeue(tx, scope, { id, firstPrinterId: row.firstPrinterId, copy }, lookAt)
  touchBoard(scope, 'print', row.outletId)
  return getJob(tx, scope, id)
}
