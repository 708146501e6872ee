import { setTimeout as sleep } from 'node:timers/promises'
import { newUlid } from '../../../core/ids.ts'
import type { Raster } from '../../../core/paper/image.ts'
import { COLUMNS, type Paper } from '../../../core/paper/layout.ts'
import type { PaperRow } from '../../../core/paper/rows.ts'
import type { JobReason } from '../../../core/printing.ts'
import { addMs } from '../../../core/time.ts'
import { isUniqueViolation, isWorkerLost } from '../../../platform/db/pg-errors.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { AccountId } from '../../../platform/scope.ts'
import { workspacesWith } from '../../../platform/sharding/holders.ts'
import { logoReader } from '../../workspace/uploads/index.ts'
import { rowsOfJob } from './paper.ts'
import { afterTry, type JobChange, type Outcome, oldestJobs, opensDrawerNow, TILL_AWAY_MS } from './rules.ts'
import * as statements from './statements.ts'

/** Poll interval. The first try of a job begins within it. */
const LOOK_EVERY_MS = 500
/** Images that are read slower than this are left out of the paper. */
const IMAGES_MS = 1_500
/** An attempt ends within 8 seconds, after the images were read; a job whose process died is free after this time. */
const LEASE_MS = 12_000
/** A stop waits this long for attempts in flight; another process repeats the others after the lease. */
const STOP_MS = 6_000
/** Workspaces that are handled concurrently: fewer than half of the connections of a process. */
const AT_ONCE = 4

type Tools = Deps
type Account = { accountId: AccountId }
export type PrintingTuning = { lookEveryMs: number; leaseMs: number }

/**
 * Prints the jobs of network printers while the service runs; any number of processes may do so. Each printer has one job in
 * print at a time and is served by itself, so a dead printer delays no other.
 */
export function startPrinting(
  tools: Tools,
  { lookEveryMs = LOOK_EVERY_MS, leaseMs = LEASE_MS }: Partial<PrintingTuning> = {},
): { stop(): Promise<void> } {
  const { clock, db, log } = tools
  const process = newUlid()
  const stopping = new AbortController()
  /** The printers that this process prints on at the moment. */
  const busy = new Map<string, Promise<void>>()
  const print = (account: Account, printerId: string) => {
    const key = `${account.accountId} ${printerId}`
    if (busy.has(key) || stopping.signal.aborted) return
    const work = printAll({ tools, process, leaseMs, stop: stopping.signal }, account, printerId)
      .catch((error: unknown) => log.warn({ err: error }, 'could not print; trying again'))
      .finally(() => busy.delete(key))
    busy.set(key, work)
  }
  const look = async () => {
    const now = clock.now()
    const left = await workspacesWith(db, { table: 'printJobs', where: 'look_at <= $1', values: [now] })
    const lookAtNext = async () => {
      for (let accountId = left.pop(); accountId !== undefined; accountId = left.pop()) {
        await lookAt(tools, { accountId }, print).catch((error: unknown) => {
          // While a worker of a sharded database is unreachable, the other workspaces print.
          if (!isWorkerLost(error)) log.warn({ err: error }, 'could not look at print jobs; trying again')
        })
      }
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, left.length) }, lookAtNext))
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) =>
        log.warn({ err: error }, 'could not find print jobs; trying again'),
      )
      await sleep(lookEveryMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
      await Promise.race([Promise.all(busy.values()), sleep(STOP_MS, undefined, { ref: false })])
    },
  }
}

/**
 * Fails old jobs, frees those that a dead process or till held, hands over those of a till that is away, and starts the
 * printers with due jobs.
 */
async function lookAt(tools: Tools, account: Account, print: (account: Account, printerId: string) => void) {
  const { db, clock } = tools
  const now = clock.now()
  const look = { now, oldest: oldestJobs(now) }
  const failing = new Map<JobReason, { ids: string[]; outlets: Set<string> }>()
  const waiting: string[] = []
  for (const stuck of await statements.stuckJobs(db, account, look)) {
    const { id, outletId, status, kind, isTooOld } = stuck
    if (status === 'printing') {
      await release(tools, account, stuck)
      continue
    }
    if (kind === 'TILL' && !isTooOld) {
      waiting.push(id)
      continue
    }
    const reason = kind === null ? 'PRINTER_REMOVED' : 'TOO_OLD'
    const same = failing.get(reason) ?? { ids: [], outlets: new Set() }
    failing.set(reason, same)
    same.ids.push(id)
    same.outlets.add(outletId)
  }
  for (const [reason, { ids, outlets }] of failing) {
    await statements.giveUp(db, account, { ids, reason, now })
    for (const outletId of outlets) publish(tools, account, outletId)
  }
  if (waiting.length > 0) await handOver(tools, account, { ids: waiting, now })
  for (const { id } of await statements.duePrinters(db, account, look)) print(account, id)
}

async function handOver(tools: Tools, account: Account, { ids, now }: { ids: string[]; now: string }) {
  const moments = { now, later: addMs(now, TILL_AWAY_MS), awaySince: addMs(now, -TILL_AWAY_MS) }
  const jobs = await statements.handOver(tools.db, account, { ids, ...moments })
  for (const outletId of new Set(jobs.map((job) => job.outletId))) publish(tools, account, outletId)
}

const publish = ({ live }: Tools, { accountId }: Account, outletId: string) =>
  live.publish(accountId, new Set([`print ${outletId}`]))

/**
 * The outcome of a try whose process or till has died is unknown, so the next one is marked as a copy. Changes nothing if another
 * process has claimed the job since it was found.
 */
export async function release(
  tools: Tools,
  account: Account,
  { id, attempts, claimedBy }: Pick<statements.StuckJob, 'id' | 'attempts' | 'claimedBy'>,
) {
  const job = await statements.findToPrint(tools.db, account, id)
  if (!job || claimedBy === null) return
  const outcome = { isPrinted: false, reason: 'INTERRUPTED', mayHavePrinted: true } as const
  await settle(tools, account, { ...job, attempts, claimedBy }, outcome)
}

async function settle(tools: Tools, account: Account, job: statements.JobToPrint, outcome: Outcome) {
  const now = tools.clock.now()
  const { printer, fallback } = job
  const removed: JobChange = {
    status: 'failed',
    reason: 'PRINTER_REMOVED',
    copy: job.copy || !outcome.isPrinted,
    printerId: job.printerId,
    dueAt: null,
    lookAt: null,
    printedAt: null,
  }
  const change =
    printer === null && !outcome.isPrinted
      ? removed
      : afterTry({ ...job, startedAt: job.updatedAt }, outcome, {
          own: printer ?? { id: job.printerId, kind: 'NETWORK' },
          fallback,
          now,
        })
  await statements.settle(tools.db, account, job, { ...change, now })
  publish(tools, account, job.outletId)
}

type Turn = { tools: Tools; process: string; leaseMs: number; stop: AbortSignal }

/** Prints the due jobs of one printer, one after the other. */
async function printAll({ tools, process, leaseMs, stop }: Turn, account: Account, printerId: string) {
  const { db, clock } = tools
  while (!stop.aborted) {
    const now = clock.now()
    const claims = { by: process, now, until: addMs(now, leaseMs), oldest: oldestJobs(now) }
    const id = await statements.claimNext(db, account, printerId, claims).catch((error: unknown) => {
      // Another process took a job of this printer in the same moment.
      if (isUniqueViolation(error)) return null
      throw error
    })
    if (id === null) return
    const job = await statements.findToPrint(db, account, id)
    if (!job) return
    publish(tools, account, job.outletId)
    await settle(tools, account, job, await tryOne(tools, account, job))
  }
}

async function tryOne(tools: Tools, account: Account, job: statements.JobToPrint): Promise<Outcome> {
  const { printers, log } = tools
  const { printer } = job
  if (printer?.host === null || printer === null)
    return { isPrinted: false, reason: 'UNREACHABLE', mayHavePrinted: false }
  const { host, port } = printer
  try {
    return await printers.print(
      { accountId: account.accountId, host, port },
      await bytesOf(tools, account, job, printer),
    )
  } catch (error) {
    log.warn({ err: error, job: job.id }, 'a print job could not be sent')
    return { isPrinted: false, reason: 'PRINTER_ERROR', mayHavePrinted: true }
  }
}

const readLogo = logoReader()

async function readDots(deps: Deps, account: Account, url: string, paper: Paper): Promise<Raster | null> {
  const reading = readLogo(deps, deps.db, account, url).then((logo) => logo?.dots(paper) ?? null)
  const timeout = sleep(IMAGES_MS, 'late' as const, { ref: false })
  const dots = await Promise.race([reading, timeout])
  if (dots !== 'late') return dots
  deps.log.warn({ url }, 'could not read an image in time; the paper is printed without it')
  return null
}

/** Rows with the dots of their images: a job stores the address of the logo only. */
const withDots = (
  deps: Deps,
  account: Account,
  rows: readonly PaperRow[],
  paper: Paper,
): Promise<PaperRow[]> =>
  Promise.all(
    rows.map(async (row) =>
      row.kind === 'image' ? { ...row, dots: await readDots(deps, account, row.url, paper) } : row,
    ),
  )

/** The bytes that the printer gets: the paper, if there is any, and the pulse to the drawer. */
export async function bytesOf(
  deps: Deps,
  account: Account,
  job: statements.JobToPrint,
  { paper, codePage }: Pick<NonNullable<statements.JobToPrint['printer']>, 'paper' | 'codePage'>,
): Promise<Uint8Array> {
  // The code pages load with the first print, not at startup.
  const { drawerKick, escposOf } = await import('../../../core/paper/escpos.ts')
  const failedPrinter = job.firstPrinterId === job.printerId ? null : (job.firstPrinterName ?? '')
  // Decides after the images are read: a late receipt must not open the drawer.
  const kick = () => (opensDrawerNow(job, deps.clock.now()) ? drawerKick() : new Uint8Array())
  if (job.kind === 'DRAWER') return kick()
  const width = paper === 58 ? '58' : '80'
  const rows = await withDots(deps, account, rowsOfJob({ ...job, failedPrinter }), width)
  return Buffer.concat([kick(), escposOf(rows, COLUMNS[width], codePage)])
}
