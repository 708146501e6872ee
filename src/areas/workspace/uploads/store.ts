import type { Db, Tx, WriteDb } from '../../../platform/db/open.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { AccountId, Scope } from '../../../platform/scope.ts'
import type { ImageType } from './rules.ts'
import type { Edges } from './statements.ts'

type Account = { readonly accountId: AccountId }

const FIELDS = [
  'id',
  'key',
  'contentType',
  'size',
  'sha256',
  'width',
  'height',
  'storedAt',
  'renderedAt',
  'refusedSha256',
  'refusal',
] as const

/** Serializes transactions that count against a limit. */
export const lockAccount = (tx: Tx, scope: Scope) =>
  ownRows(tx, scope, 'accounts').select('accountId').forNoKeyUpdate().execute()

/** Returns when the caller signed its `max`th last address; undefined if there were fewer. */
export const nthLastSigned = (tx: Tx, scope: Scope, max: number, since: string) =>
  ownRows(tx, scope, 'uploads')
    .select('createdAt')
    .where('createdBy', '=', scope.actor.id)
    .where('createdAt', '>', since)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .offset(max - 1)
    .executeTakeFirst()

/** Returns the stored bytes and the number of addresses signed since `since` whose upload is still missing. */
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

type Bytes = { size: number; sha256: string; width: number; height: number }

/** Claims the address for these bytes, once. An upload of other bytes is rejected. */
export const claim = (db: WriteDb, account: Account, key: string, bytes: Bytes) =>
  updateOwn(db, account, 'uploads')
    .set({ ...bytes, refusedSha256: null, refusal: null })
    .where('key', '=', key)
    .where((eb) => eb.or([eb('sha256', 'is', null), eb('sha256', '=', bytes.sha256)]))
    .returning('id')
    .executeTakeFirst()

export const markStored = (db: WriteDb, account: Account, key: string, now: string) =>
  updateOwn(db, account, 'uploads')
    .set({ storedAt: now, renderedAt: now })
    .where('key', '=', key)
    .where('storedAt', 'is', null)
    .execute()

/** Records that these bytes cannot be decoded. An address without a stored image still accepts other bytes. */
export const markRefused = (
  db: WriteDb,
  account: Account,
  { key, refusedSha256, refusal }: { key: string; refusedSha256: string; refusal: string },
) =>
  updateOwn(db, account, 'uploads')
    .set({ refusedSha256, refusal })
    .where('key', '=', key)
    .where((eb) => eb.or([eb('sha256', 'is', null), eb('sha256', '=', refusedSha256)]))
    .where('renderedAt', 'is', null)
    .execute()

type Size = { width: number; height: number }

/** Marks an image as rendered. Returns undefined if it was removed meanwhile. */
export const markRendered = (
  db: WriteDb,
  account: Account,
  { key, size, now }: { key: string; size: Size; now: string },
) =>
  updateOwn(db, account, 'uploads')
    .set({ ...size, renderedAt: now })
    .where('key', '=', key)
    .where('storedAt', 'is not', null)
    .returning('id')
    .executeTakeFirst()

/** Marks the row as a missing file until it is deleted: it is no logo, and the next run finds it again. */
export const letGo = (db: WriteDb, account: Account, id: string, { unused }: Pick<Edges, 'unused'>) =>
  updateOwn(db, account, 'uploads')
    .set({ storedAt: null })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('storedAt', 'is', null), eb('unusedSince', '<', unused)]))
    .returning('id')
    .executeTakeFirst()

export const remove = (db: WriteDb, account: Account, id: string) =>
  deleteOwn(db, account, 'uploads').where('id', '=', id).execute()
