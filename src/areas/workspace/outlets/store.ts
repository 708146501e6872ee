import { sql } from 'kysely'
import { newId } from '../../../core/ids.ts'
import type { StationPrinters } from '../../../core/printing.ts'
import { batchReads } from '../../../platform/db/batch-reads.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Outlet, OutletIn, OutletPatch } from './schema.ts'

const FIELDS = [
  'id',
  'name',
  'address',
  'phone',
  'timezone',
  'taxRateBps',
  'taxInclusive',
  'taxLabel',
  'serviceChargeBps',
  'serviceChargeOrderTypes',
  'serviceChargeBase',
  'serviceChargeTaxable',
  'cashRounding',
  'receiptHeader',
  'receiptFooter',
  'isActive',
  'createdAt',
  'updatedAt',
] as const

const all = (db: Db, { accountId }: Pick<Scope, 'accountId'>) =>
  ownRows(db, { accountId }, 'outlets').select(FIELDS)

export const list = (db: Db, scope: Scope) => all(db, scope).orderBy('createdAt').orderBy('id').execute()

export const find = (db: Db, scope: Scope, id: string) =>
  all(db, scope).where('id', '=', id).executeTakeFirst()

/** Finds outlets outside of transactions; concurrent calls share one statement. */
export const findShared = batchReads<Outlet>(async (db, accountId, ids) => {
  const rows = await all(db, { accountId })
    .where(sql<boolean>`id = any(array(select unnest(${ids}::text[])))`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
})

/** The form in which values are written: the rounding as JSON. */
const stored = <V extends Pick<OutletPatch, 'cashRounding'>>({ cashRounding, ...values }: V) => ({
  ...values,
  ...(cashRounding === undefined ? {} : { cashRounding: JSON.stringify(cashRounding) }),
})

export async function insert(tx: Tx, scope: Scope, input: OutletIn) {
  const id = newId('outlet')
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  await insertOwn(tx, scope, 'outlets', { ...stored(input), id, ...stamps }).execute()
  return id
}

export const update = (tx: Tx, scope: Scope, id: string, patch: OutletPatch) =>
  updateOwn(tx, scope, 'outlets')
    .set({ ...stored(patch), updatedAt: scope.now })
    .where('id', '=', id)
    .execute()

/** A sale of any status counts, and what a customer paid of a debt (B-outlet-1). */
export async function hasHistory(db: Db, scope: Scope, id: string): Promise<boolean> {
  for (const table of ['sales', 'customerCreditEntries'] as const) {
    const row = await ownRows(db, scope, table)
      .select('id')
      .where('outletId', '=', id)
      .limit(1)
      .executeTakeFirst()
    if (row !== undefined) return true
  }
  return false
}

/** Locks the outlet until the transaction ends, so that no sale can begin there while its deletion is decided. */
export const lock = (tx: Tx, scope: Scope, id: string) =>
  ownRows(tx, scope, 'outlets').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

/** Locks the outlet, so that its printers are mapped one change after the other. Sales do not wait for this lock. */
export const lockForPrinters = (tx: Tx, scope: Scope, id: string) =>
  ownRows(tx, scope, 'outlets').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const setStationPrinters = (tx: Tx, scope: Scope, id: string, stations: StationPrinters) =>
  updateOwn(tx, scope, 'outlets')
    .set({ stationPrinters: JSON.stringify(stations) })
    .where('id', '=', id)
    .execute()

export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'outlets').where('id', '=', id).execute()

/** Counts the active outlets, which the plan limits (B-plan-1). */
export async function countLive(tx: Tx, scope: Scope): Promise<number> {
  const { n } = await ownRows(tx, scope, 'outlets')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('isActive', '=', true)
    .executeTakeFirstOrThrow()
  return n
}
