import { sql } from 'kysely'
import { decodeCursor } from '../../../core/cursor.ts'
import { newId } from '../../../core/ids.ts'
import { JOB_STATUSES } from '../../../core/printing.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import { walk } from '../../../platform/db/walk.ts'
import { word } from '../../../platform/db/word.ts'
import type { Scope, TillRef } from '../../../platform/scope.ts'
import type { DrawerKick, JobQuery, KickQuery, Printer, PrintJob } from './schema.ts'

const FIELDS = [
  'id',
  'outletId',
  'kind',
  'name',
  'host',
  'port',
  'paper',
  'codePage',
  'opensDrawer',
  'stations',
  'tillId',
  'fallbackPrinterId',
  'createdAt',
  'updatedAt',
] as const

const printers = (db: Db, scope: Scope) => ownRows(db, scope, 'printers').select(FIELDS)

export const list = (db: Db, scope: Scope, outletId: string | undefined): Promise<Printer[]> =>
  printers(db, scope)
    .$if(outletId !== undefined, (q) => q.where('outletId', '=', outletId ?? ''))
    .orderBy('outletId')
    .orderBy('id')
    .execute()

export const find = (db: Db, scope: Scope, id: string): Promise<Printer | undefined> =>
  printers(db, scope).where('id', '=', id).executeTakeFirst()

export const insert = async (
  tx: Tx,
  scope: Scope,
  printer: Omit<Printer, 'id' | 'createdAt' | 'updatedAt'>,
): Promise<string> => {
  const id = newId('printer')
  await insertOwn(tx, scope, 'printers', {
    ...printer,
    id,
    createdAt: scope.now,
    updatedAt: scope.now,
  }).execute()
  return id
}

export const update = (tx: Tx, scope: Scope, id: string, change: Partial<Printer>) =>
  updateOwn(tx, scope, 'printers')
    .set({ ...change, updatedAt: scope.now })
    .where('id', '=', id)
    .execute()

/** Removes a printer; other printers no longer fall back to it. */
export async function remove(tx: Tx, scope: Scope, id: string) {
  await updateOwn(tx, scope, 'printers')
    .set({ fallbackPrinterId: null, updatedAt: scope.now })
    .where('fallbackPrinterId', '=', id)
    .execute()
  await deleteOwn(tx, scope, 'printers').where('id', '=', id).execute()
}

/** The outlet of an enrolled till; undefined if there is no such till. */
export const findTill = (db: Db, scope: Scope, id: string) =>
  ownRows(db, scope, 'tills')
    .select(['id', 'outletId', 'name'])
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()

/** Whether the till of a cookie is still enrolled. */
export const isEnrolled = async (db: Db, scope: Scope, { id, secretHash }: TillRef): Promise<boolean> =>
  (await ownRows(db, scope, 'tills')
    .select('id')
    .where('id', '=', id)
    .where('secretHash', '=', secretHash)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()) !== undefined

const JOB_FIELDS = [
  'id',
  'outletId',
  'printerId',
  'firstPrinterId',
  'saleId',
  'station',
  'kind',
  'status',
  'attempts',
  'reason',
  'reprint',
  'copy',
  'dueAt',
  'printedAt',
  'createdAt',
  'updatedAt',
] as const

const jobs = (db: Db, scope: Scope) => ownRows(db, scope, 'printJobs').select(JOB_FIELDS)

type JobRow = Omit<PrintJob, 'fallbackFrom'> & { firstPrinterId: string }
const jobView = ({ firstPrinterId, ...job }: JobRow): PrintJob => ({
  ...job,
  fallbackFrom: firstPrinterId === job.printerId ? null : firstPrinterId,
})

export async function findJob(db: Db, scope: Scope, id: string): Promise<PrintJob | undefined> {
  const row = await jobs(db, scope).where('id', '=', id).executeTakeFirst()
  return row && jobView(row)
}

/** The jobs among `ids` that exist, in order of their ids. */
export const findJobs = async (db: Db, scope: Scope, ids: readonly string[]): Promise<PrintJob[]> =>
  (
    await jobs(db, scope)
      .where(sql<boolean>`id = any(${[...ids]}::text[])`)
      .orderBy('id')
      .execute()
  ).map(jobView)

/** Whether a receipt was queued since the sale was completed. A paper of an open bill is a job of the same kind. */
export const hasPrinted = async (db: Db, scope: Scope, saleId: string): Promise<boolean> =>
  (await ownRows(db, scope, 'printJobs')
    .select('id')
    .where('saleId', '=', saleId)
    .where('kind', '=', 'RECEIPT')
    .where('ofOpenBill', '=', false)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Locks the job until the transaction ends. */
export const lockJob = (tx: Tx, scope: Scope, id: string) =>
  jobs(tx, scope).where('id', '=', id).forUpdate().executeTakeFirst()

export async function listJobs(
  db: Db,
  scope: Scope,
  { printerId, status, cursor, limit }: JobQuery,
): Promise<PrintJob[]> {
  const { where, order } = walk({
    by: [
      ...(printerId === undefined ? [] : [['printerId', sql.val(printerId)] as const]),
      ...(status === undefined ? [] : [['status', sql.val(status)] as const]),
    ],
    id: 'id',
    from: null,
    before: cursor === undefined ? null : sql.val(decodeCursor(cursor, 'printJob').id),
  })
  const rows = await jobs(db, scope)
    .where(where)
    .orderBy(order)
    .limit(limit + 1)
    .execute()
  return rows.map(jobView)
}

/** Queues a job again at the printer that it was first for. */
export const requeue = (
  tx: Tx,
  scope: Scope,
  job: { id: string; firstPrinterId: string; copy: boolean },
  lookAt: string,
) =>
  updateOwn(tx, scope, 'printJobs')
    .set({
      status: word('queued', JOB_STATUSES),
      printerId: job.firstPrinterId,
      attempts: 0,
      reason: null,
      reprint: true,
      copy: job.copy,
      printedAt: null,
      queuedAt: scope.now,
      dueAt: scope.now,
      lookAt,
      updatedAt: scope.now,
    })
    .where('id', '=', job.id)
    .execute()

/** Fails the jobs that wait for a printer. */
export const failWaiting = (tx: Tx, scope: Scope, printerId: string) =>
  updateOwn(tx, scope, 'printJobs')
    .set({ status: 'failed', reason: 'PRINTER_REMOVED', lookAt: null, updatedAt: scope.now })
    .where('printerId', '=', printerId)
    .where('lookAt', 'is not', null)
    .where('status', '=', 'queued')
    .execute()

export const insertKick = (tx: Tx, scope: Scope, kick: DrawerKick) =>
  insertOwn(tx, scope, 'drawerKicks', kick).execute()

export function listKicks(
  db: Db,
  scope: Scope,
  printerId: string,
  { cursor, limit }: KickQuery,
): Promise<DrawerKick[]> {
  const { where, order } = walk({
    by: [['printerId', sql.val(printerId)]],
    id: 'id',
    from: null,
    before: cursor === undefined ? null : sql.val(decodeCursor(cursor, 'drawerKick').id),
  })
  return ownRows(db, scope, 'drawerKicks')
    .select(['id', 'outletId', 'printerId', 'jobId', 'memberId', 'reason', 'createdAt'])
    .where(where)
    .orderBy(order)
    .limit(limit + 1)
    .execute()
}
