import type { PaperRow } from '../../../core/paper/rows.ts'
import type { CodePage, JobReason, PaperWidth, PrinterKind } from '../../../core/printing.ts'
import { rowsInsert } from '../../../platform/db/insert-rows.ts'
import { type Db, named, namedWrite, type WriteDb } from '../../../platform/db/open.ts'
import { statement, writeStatement } from '../../../platform/db/statement.ts'
import type { PrintJobsRow } from '../../../platform/db/tables/printing.ts'
import { type JobChange, type OldestJobs, TRIES } from './rules.ts'

export type NewJob = Pick<
  PrintJobsRow,
  | 'id'
  | 'outletId'
  | 'printerId'
  | 'firstPrinterId'
  | 'saleId'
  | 'station'
  | 'kind'
  | 'status'
  | 'queuedAt'
  | 'dueAt'
> &
  Pick<PrintJobsRow, 'lookAt' | 'createdAt' | 'updatedAt'> & {
    opensDrawer: boolean
    ofOpenBill: boolean
    content: readonly PaperRow[]
  }

export const insertJobs = rowsInsert<NewJob>({
  name: 'print_jobs_insert',
  into: 'print_jobs',
  columns: {
    id: 'text',
    outlet_id: 'text',
    printer_id: 'text',
    first_printer_id: 'text',
    sale_id: 'text',
    station: 'text',
    kind: 'text',
    status: 'text',
    opens_drawer: 'boolean',
    of_open_bill: 'boolean',
    content: 'jsonb',
    queued_at: 'timestamptz',
    due_at: 'timestamptz',
    look_at: 'timestamptz',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
})

type Account = { accountId: string }

/** A job that no printer of the service will take: it is too old, its try does not end, or a till or nothing has its printer. */
export type StuckJob = {
  id: string
  outletId: string
  status: 'queued' | 'printing'
  /** Null if the printer was removed. */
  kind: PrinterKind | null
  /** Whether its time is over; that of a drawer is when the service looks at it. */
  isTooOld: boolean
  attempts: number
  claimedBy: string | null
}
const STUCK = statement(
  'print_stuck',
  `select j.id, j.outlet_id as "outletId", j.status, p.kind,
      j.queued_at < $3 or j.kind = 'DRAWER' as "isTooOld", j.attempts, j.claimed_by as "claimedBy"
    from print_jobs j left join printers p on p.account_id = $1 and p.id = j.printer_id
    where j.account_id = $1 and j.look_at <= $2
      and (j.status = 'printing' or p.kind is distinct from 'NETWORK' or j.queued_at < $3
        or (j.kind = 'DRAWER' and j.queued_at < $4))
    order by j.look_at limit 500`,
)
type Look = { now: string; oldest: OldestJobs }
export const stuckJobs = (db: Db, { accountId }: Account, { now, oldest }: Look) =>
  named<StuckJob>(db, STUCK, [accountId, now, oldest.paper, oldest.drawer])

/** Read by printer, so that any number of jobs at one printer hides no other printer. */
const DUE_PRINTERS = statement(
  'print_due_printers',
  `select p.id from printers p where p.account_id = $1 and p.kind = 'NETWORK'
      and exists (select from print_jobs j where j.account_id = $1 and j.printer_id = p.id and j.look_at <= $2
        and j.status = 'queued' and j.queued_at >= $3 and (j.kind <> 'DRAWER' or j.queued_at >= $4))`,
)
/** The printers of the service with a job that is due. */
export const duePrinters = (db: Db, { accountId }: Account, { now, oldest }: Look) =>
  named<{ id: string }>(db, DUE_PRINTERS, [accountId, now, oldest.paper, oldest.drawer])

/** A job with its printer and fallback printer, as a try needs them. */
export type JobToPrint = {
  id: string
  outletId: string
  printerId: string
  firstPrinterId: string
  kind: PrintJobsRow['kind']
  attempts: number
  copy: boolean
  reprint: boolean
  opensDrawer: boolean
  content: PaperRow[]
  queuedAt: string
  /** When the last try began. */
  updatedAt: string
  createdAt: string
  claimedBy: string | null
  printer: {
    id: string
    kind: PrinterKind
    host: string | null
    port: number
    paper: PaperWidth
    codePage: CodePage
  } | null
  firstPrinterName: string | null
  fallback: { id: string; kind: PrinterKind } | null
  timezone: string
}
const FIND = statement(
  'print_find',
  `select j.id, j.outlet_id as "outletId", j.printer_id as "printerId", j.first_printer_id as "firstPrinterId", j.kind, j.attempts,
      j.copy, j.reprint, j.opens_drawer as "opensDrawer", j.content, j.queued_at as "queuedAt", j.updated_at as "updatedAt",
      j.created_at as "createdAt", j.claimed_by as "claimedBy",
      case when p.id is not null then json_build_object('id', p.id, 'kind', p.kind, 'host', p.host, 'port', p.port, 'paper', p.paper, 'codePage', p.code_page) end as printer,
      f.name as "firstPrinterName",
      case when b.id is not null then json_build_object('id', b.id, 'kind', b.kind) end as fallback, o.timezone
    from print_jobs j join outlets o on o.account_id = $1 and o.id = j.outlet_id
      left join printers p on p.account_id = $1 and p.id = j.printer_id
      left join printers f on f.account_id = $1 and f.id = j.first_printer_id
      left join printers b on b.account_id = $1 and b.id = p.fallback_printer_id
    where j.account_id = $1 and j.id = $2`,
)
export async function findToPrint(
  db: Db,
  { accountId }: Account,
  id: string,
): Promise<JobToPrint | undefined> {
  const [job] = await named<JobToPrint>(db, FIND, [accountId, id])
  return job
}

/**
 * Takes the job that is due first at a printer. A unique index allows one job in print for each printer: a second process that
 * takes another job in the same moment fails.
 */
const CLAIM_NEXT = writeStatement(
  'print_claim_next',
  `update print_jobs j set status = 'printing', attempts = j.attempts + 1, claimed_by = $3, look_at = $5, updated_at = $4
    where j.account_id = $1 and j.status = 'queued' and j.id = (select q.id from print_jobs q
        where q.account_id = $1 and q.printer_id = $2 and q.look_at is not null and q.status = 'queued' and q.due_at <= $4
          and q.queued_at >= $6 and (q.kind <> 'DRAWER' or q.queued_at >= $7)
        order by q.due_at, q.id limit 1 for update skip locked)
      and not exists (select from print_jobs b where b.account_id = $1 and b.printer_id = $2 and b.status = 'printing')
    returning j.id`,
)
type Claim = { by: string; now: string; until: string; oldest: OldestJobs }
export async function claimNext(
  db: WriteDb,
  { accountId }: Account,
  printerId: string,
  { by, now, until, oldest }: Claim,
): Promise<string | null> {
  const values = [accountId, printerId, by, now, until, oldest.paper, oldest.drawer]
  const [job] = await namedWrite<{ id: string }>(db, CLAIM_NEXT, values)
  return job?.id ?? null
}

const CLAIM_ONE = writeStatement(
  'print_claim_one',
  `update print_jobs j set status = 'printing', attempts = j.attempts + 1, claimed_by = $3, look_at = $5, updated_at = $4
    where j.account_id = $1 and j.id = $2 and j.status = 'queued' and j.due_at <= $4 and j.queued_at >= $6
      and (j.kind <> 'DRAWER' or j.queued_at >= $7)
    returning j.id`,
)
/** Takes one job; false if it is not due, too old, or taken. */
export const claimOne = async (
  db: WriteDb,
  { accountId }: Account,
  id: string,
  { by, now, until, oldest }: Claim,
): Promise<boolean> => {
  const values = [accountId, id, by, now, until, oldest.paper, oldest.drawer]
  return (await namedWrite(db, CLAIM_ONE, values)).length > 0
}

const SETTLE = writeStatement(
  'print_settle',
  `update print_jobs j set status = $5, reason = $6, copy = $7, printer_id = $8, due_at = coalesce($9, j.due_at), look_at = $10,
      printed_at = $11, claimed_by = null, updated_at = $12
    where j.account_id = $1 and j.id = $2 and j.status = 'printing' and j.claimed_by = $3 and j.attempts = $4 returning j.id`,
)
/** Records what became of a try. False if the job is no longer that of this try. */
export async function settle(
  db: WriteDb,
  { accountId }: Account,
  job: Pick<JobToPrint, 'id' | 'attempts' | 'claimedBy'>,
  change: JobChange & { now: string },
): Promise<boolean> {
  const { now, status, reason, copy, printerId, dueAt, lookAt, printedAt } = change
  const key = [accountId, job.id, job.claimedBy, job.attempts]
  const values = [...key, status, reason, copy, printerId, dueAt, lookAt, printedAt, now]
  return (await namedWrite(db, SETTLE, values)).length > 0
}

/** A till is away if it took none of the last jobs of its printer since then. */
const HAND_OVER = writeStatement(
  'print_hand_over',
  `update print_jobs j set printer_id = coalesce(b.id, j.printer_id), reason = case when b.id is null then j.reason else 'UNREACHABLE' end,
      due_at = case when b.id is null then j.due_at else $3 end, look_at = case b.kind when 'NETWORK' then $3 else $4 end,
      attempts = case when b.id is null then j.attempts else (j.attempts + $6::int - 1) / $6::int * $6::int end,
      updated_at = case when b.id is null then j.updated_at else $3 end
    from printers p left join printers b on b.account_id = $1 and b.id = p.fallback_printer_id
      and not exists (select from (select o.attempts, o.updated_at from print_jobs o
          where o.account_id = $1 and o.printer_id = p.id order by o.id desc limit 100) o
        where o.attempts > 0 and o.updated_at > $5)
    where j.account_id = $1 and j.id = any($2::text[]) and j.status = 'queued' and j.look_at <= $3
      and p.account_id = $1 and p.id = j.printer_id and p.kind = 'TILL'
    returning j.outlet_id as "outletId"`,
)
/**
 * Jobs that wait for a till go to the fallback printer of its printer if the till is away. They have all tries there. The others
 * are looked at `later`.
 */
export const handOver = (
  db: WriteDb,
  { accountId }: Account,
  { ids, now, later, awaySince }: { ids: readonly string[]; now: string; later: string; awaySince: string },
) => namedWrite<{ outletId: string }>(db, HAND_OVER, [accountId, ids, now, later, awaySince, TRIES])

const GIVE_UP = writeStatement(
  'print_give_up',
  `update print_jobs j set status = 'failed', reason = $3, look_at = null, updated_at = $4
    where j.account_id = $1 and j.id = any($2::text[]) and j.status = 'queued'`,
)
/** Fails queued jobs. */
export const giveUp = (
  db: WriteDb,
  { accountId }: Account,
  { ids, reason, now }: { ids: readonly string[]; reason: JobReason; now: string },
) => namedWrite(db, GIVE_UP, [accountId, ids, reason, now])
