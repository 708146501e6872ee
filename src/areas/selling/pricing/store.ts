import type { Conditions } from '../../../core/conditions.ts'
import { newId } from '../../../core/ids.ts'
import type { PriceEntry } from '../../../core/prices.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { PriceList } from './schema.ts'

/** A list without its id and times. */
export type PriceListValues = Conditions & {
  name: string
  priority: number
  entries: readonly PriceEntry[]
}

const all = (db: Db, scope: Scope) =>
  ownRows(db, scope, 'priceLists').select([
    'id',
    'name',
    'priority',
    'isActive',
    'outletIds',
    'orderTypes',
    'channels',
    'customerGroupIds',
    'weekdays',
    'fromTime as from',
    'toTime as to',
    'startsAt',
    'endsAt',
    'entries',
    'createdAt',
    'updatedAt',
  ])

// The columns of the query are the fields of the record; the compiler knows neither the words nor the entries.
const viewOf = (row: unknown) => row as PriceList

/** In order of priority. */
export const list = async (db: Db, scope: Scope): Promise<PriceList[]> =>
  (await all(db, scope).orderBy('priority').orderBy('id').execute()).map(viewOf)

export async function find(db: Db, scope: Scope, id: string): Promise<PriceList | undefined> {
  const row = await all(db, scope).where('id', '=', id).executeTakeFirst()
  return row && viewOf(row)
}

export async function lock(tx: Tx, scope: Scope, id: string): Promise<PriceList | undefined> {
  const row = await all(tx, scope).where('id', '=', id).forUpdate().executeTakeFirst()
  return row && viewOf(row)
}

/** An array that the driver may send. */
export const copied = <T>(list: readonly T[] | null): T[] | null => list && [...list]

/** Conditions as columns. */
export const conditionColumns = <V extends Conditions>({ from, to, ...values }: V) => ({
  ...values,
  outletIds: copied(values.outletIds),
  orderTypes: copied(values.orderTypes),
  channels: copied(values.channels),
  customerGroupIds: copied(values.customerGroupIds),
  weekdays: copied(values.weekdays),
  fromTime: from,
  toTime: to,
})

const stored = ({ entries, ...values }: PriceListValues) => ({
  ...conditionColumns(values),
  entries: JSON.stringify(entries),
})

export async function insert(tx: Tx, scope: Scope, values: PriceListValues): Promise<string> {
  const id = newId('priceList')
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  await insertOwn(tx, scope, 'priceLists', { ...stored(values), id, ...stamps }).execute()
  return id
}

export const update = (tx: Tx, scope: Scope, id: string, values: PriceListValues) =>
  updateOwn(tx, scope, 'priceLists')
    .set({ ...stored(values), updatedAt: scope.now })
    .where('id', '=', id)
    .execute()

export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'priceLists').where('id', '=', id).execute()
