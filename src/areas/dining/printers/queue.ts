import { newId } from '../../../core/ids.ts'
import type { Slip } from '../../../core/paper/kitchen-slips.ts'
import type { PaperRow } from '../../../core/paper/rows.ts'
import type { JobKind, PrinterKind, StationPrinters } from '../../../core/printing.ts'
import type { Tx } from '../../../platform/db/open.ts'
import { type Scope, touchBoard } from '../../../platform/scope.ts'
import { lookAtOf } from './rules.ts'
import type { PrintJob } from './schema.ts'
import * as statements from './statements.ts'
import * as store from './store.ts'

type PrinterRef = { id: string; outletId: string; kind: PrinterKind }
type JobContent = {
  kind: JobKind
  saleId: string | null
  station: string | null
  rows: readonly PaperRow[]
  opensDrawer: boolean
  /** Set for a paper of a sale that is not completed yet. */
  ofOpenBill?: boolean
}

const newJob = (
  { now }: Scope,
  printer: PrinterRef,
  { rows, ofOpenBill = false, ...facts }: JobContent,
): statements.NewJob => ({
  ...facts,
  ofOpenBill,
  id: newId('printJob'),
  outletId: printer.outletId,
  printerId: printer.id,
  firstPrinterId: printer.id,
  status: 'queued',
  content: rows,
  queuedAt: now,
  dueAt: now,
  lookAt: lookAtOf(printer.kind, { kind: facts.kind, dueAt: now, queuedAt: now }),
  createdAt: now,
  updatedAt: now,
})

/** Queues the slips of a sale in its transaction, in one statement. */
export async function queueSlips(
  tx: Tx,
  scope: Scope,
  {
    saleId,
    outletId,
    slips,
    printers,
  }: { saleId: string; outletId: string; slips: readonly Slip[]; printers: StationPrinters },
) {
  const jobs = slips.flatMap(({ station, rows }) => {
    const printer = printers[station]
    return printer
      ? [
          newJob(
            scope,
            { ...printer, outletId },
            { kind: 'KITCHEN', saleId, station, rows, opensDrawer: false },
          ),
        ]
      : []
  })
  if (jobs.length === 0) return
  await statements.insertJobs(tx, scope, jobs)
  touchBoard(scope, 'print', outletId)
}

/** Queues one job and returns it. */
export async function queueJob(
  tx: Tx,
  scope: Scope,
  printer: PrinterRef,
  content: JobContent,
): Promise<PrintJob> {
  const job = newJob(scope, printer, content)
  await statements.insertJobs(tx, scope, [job])
  touchBoard(scope, 'print', printer.outletId)
  const made = await store.findJob(tx, scope, job.id)
  if (!made) throw new Error('a job that was inserted is found')
  return made
}

/** Queues jobs of labels, in one statement, and returns them in their order. */
export async function queueLabels(
  tx: Tx,
  scope: Scope,
  printer: PrinterRef,
  papers: readonly (readonly PaperRow[])[],
): Promise<PrintJob[]> {
  const jobs = papers.map((rows) =>
    newJob(scope, printer, { kind: 'LABEL', saleId: null, station: null, rows, opensDrawer: false }),
  )
  await statements.insertJobs(tx, scope, jobs)
  touchBoard(scope, 'print', printer.outletId)
  return store.findJobs(
    tx,
    scope,
    jobs.map(({ id }) => id),
  )
}

/** Queues the receipt of a sale, or its bill before it is paid. */
export const queueReceipt = (
  tx: Tx,
  scope: Scope,
  printer: PrinterRef,
  { saleId, ...paper }: Pick<JobContent, 'rows' | 'opensDrawer' | 'ofOpenBill'> & { saleId: string },
) => queueJob(tx, scope, printer, { ...paper, kind: 'RECEIPT', saleId, station: null })
