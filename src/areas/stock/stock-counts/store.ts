import { sql } from 'kysely'
import { decodeCursor } from '../../../core/cursor.ts'
import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import { walk } from '../../../platform/db/walk.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { CountQuery } from './schema.ts'

const FIELDS = [
  'id',
  'outletId',
  'categoryIds',
  'blind',
  'status',
  'createdBy',
  'postedBy',
  'postedAt',
  'cancelledAt',
  'createdAt',
  'updatedAt',
] as const

const counts = (db: Db, scope: Scope) =>
  ownRows(db, scope, 'stockCounts')
    .select(FIELDS)
    .select((eb) =>
      eb
        .selectFrom('stockCountLines as l')
        .where('l.accountId', '=', scope.accountId)
        .whereRef('l.countId', '=', 'stockCounts.id')
        .select(sql<number>`count(*)`.as('n'))
        .$asScalar()
        .$notNull()
        .as('lineCount'),
    )

export const find = (db: Db, scope: Scope, id: string) =>
  counts(db, scope).where('id', '=', id).executeTakeFirst()

/** Lists counts, newest first, with one row more than the page. */
export function list(db: Db, scope: Scope, { outletId, status, cursor, limit }: CountQuery) {
  const { where, order } = walk({
    by: outletId === undefined ? [] : [['outletId', sql.val(outletId)]],
    id: 'id',
    from: null,
    before: cursor === undefined ? null : sql.val(decodeCursor(cursor, 'stockCount').id),
  })
  return counts(db, scope)
    .where(where)
    .$if(status !== undefined, (q) => q.where('status', '=', status ?? 'OPEN'))
    .orderBy(order)
    .limit(limit + 1)
    .execute()
}

/** Shares the count, so that it is neither posted nor cancelled before the lines are written. */
export const share = (tx: Tx, scope: Scope, id: string) =>
  ownRows(tx, scope, 'stockCounts')
    .select(['outletId', 'categoryIds', 'status', 'blind'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()

const openOnes = (tx: Tx, scope: Scope, outletId: string) =>
  ownRows(tx, scope, 'stockCounts')
    .select('id')
    .where('outletId', '=', outletId)
    .where('status', '=', 'OPEN')
    .orderBy('id')

/** Shares the open counts of an outlet. Waits for one that is being posted. */
export const shareOpen = (tx: Tx, scope: Scope, outletId: string) =>
  openOnes(tx, scope, outletId).forShare().execute()

/** Locks the open counts of an outlet. Waits for devices that are writing lines of them, and for counts that are being opened. */
export async function lockOpen(tx: Tx, scope: Scope, outletId: string): Promise<string[]> {
  const lock = () => openOnes(tx, scope, outletId).forNoKeyUpdate().execute()
  await lock()
  // Locks again, because counts may have been opened while the first statement waited.
  return (await lock()).map(({ id }) => id)
}

/** Locks the count. Waits for devices that are writing lines. */
export const lock = (tx: Tx, scope: Scope, id: string) =>
  ownRows(tx, scope, 'stockCounts').select('status').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export async function insert(
  tx: Tx,
  scope: Scope,
  count: { outletId: string; categoryIds: string[] | null; blind: boolean },
): Promise<string> {
  const id = newId('stockCount')
  await insertOwn(tx, scope, 'stockCounts', {
    ...count,
    id,
    createdBy: scope.actor.id,
    createdAt: scope.now,
    updatedAt: scope.now,
  }).execute()
  return id
}

export const close = (tx: Tx, scope: Scope, id: string, status: 'POSTED' | 'CANCELLED') =>
  updateOwn(tx, scope, 'stockCounts')
    .set({
      status,
      ...(status === 'POSTED'
        ? { postedBy: scope.actor.id, postedAt: scope.now }
        : { cancelledAt: scope.now }),
      updatedAt: scope.now,
    })
    .where('id', '=', id)
    .execute()

/** Returns which of these categories exist. */
export async function findCategories(db: Db, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const rows = await ownRows(db, scope, 'categories').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}
