import type { Db, Tx, WriteDb } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'
import type { ImageType } from './rules.ts'
import type { Edges } from './statements.ts'

type Account = { readonly accountId: AccountId }

const FIELDS = ['id', 'key', 'contentType', 'size', 'sha256', 'width', 'height', 'storedAt'] as const

/** What is bounded is counted by one writer at a time. */
export const lockAccount = (tx: Tx, scope: Scope) =>
  ownRows(tx, scope, 'accounts').select('accountId').forNoKeyUpdate().execute()

/** When the caller had its `max`th last address signed; undefined while it had fewer. */
export const nthLastSigned = (tx: Tx, scope: Scope, max: number, since: string) =>
  ownRows(tx, scope, 'uploads')
    .select('createdAt')
    .where('createdBy', '=', scope.actor.id)
    .where('createdAt', '>', since)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .offset(max - 1)
    .executeTakeFirst()

/** Bytes that are kept, and how many addresses signed since then may still bring more. */
export async function usedBy(
  tx: Tx,
  scope: Scope,
  since: string,
): Promise<{ bytes: number; pending: number }> {
  const { bytes, pending } = await ownRows(tx, scope, 'uploads')
    .select((eb) => [
      eb.fn.sum<number | null>('size').as('bytes'),
      eb.fn
        .count<number>('id')
        .filterWhere('size', 'is', null)
        .filterWhere('createdAt', '>', since)
        .as('pending'),
    ])
    .executeTakeFirstOrThrow()
  return { bytes: bytes ?? 0, pending }
}

export const insert = (tx: Tx, scope: Scope, row: { id: string; key: string; contentType: ImageType }) =>
  insertOwn(tx, scope, 'uploads', { ...row, createdBy: scope.actor.id, createdAt: scope.now }).execute()

export const findByKey = (db: Db, account: Account, key: string) =>
  ownRows(db, account, 'uploads').select(FIELDS).where('key', '=', key).executeTakeFirst()

type Bytes = { size: number; sha256: string; width: number | null; height: number | null }

/** Takes these bytes for the address, once: whoever comes with others finds it taken. */
export const claim = (db: WriteDb, account: Account, key: string, bytes: Bytes) =>
  updateOwn(db, account, 'uploads')
    .set(bytes)
    .where('key', '=', key)
    .where((eb) => eb.or([eb('sha256', 'is', null), eb('sha256', '=', bytes.sha256)]))
    .returning('id')
    .executeTakeFirst()

export const markStored = (db: WriteDb, account: Account, key: string, now: string) =>
  updateOwn(db, account, 'uploads')
    .set({ storedAt: now })
    .where('key', '=', key)
    .where('storedAt', 'is', null)
    .execute()

/** The row is that of a file which never came, until it is gone: no logo, and found again by the next run. */
export const letGo = (db: WriteDb, account: Account, id: string, { unused }: Pick<Edges, 'unused'>) =>
  updateOwn(db, account, 'uploads')
    .set({ storedAt: null })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('storedAt', 'is', null), eb('unusedSince', '<', unused)]))
    .returning('id')
    .executeTakeFirst()

export const remove = (db: WriteDb, account: Account, id: string) =>
  deleteOwn(db, account, 'uploads').where('id', '=', id).execute()
