import { sql } from 'kysely'
import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { orderByName } from '../../../platform/db/order-by-name.ts'
import { insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Span } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Supplier, SupplierIn, SupplierPatch } from './schema.ts'

const FIELDS = [
  'id',
  'name',
  'contact',
  'phone',
  'email',
  'address',
  'note',
  'isActive',
  'createdAt',
  'updatedAt',
] as const

const all = (db: Db, scope: Scope) => ownRows(db, scope, 'suppliers').select(FIELDS)

/**
 * Lists suppliers by name, after the key `after`. `q` is searched in name, contact, phone and email, ignoring case
 * (B-supplier-1).
 */
export const list = (
  db: Db,
  scope: Scope,
  q: string | undefined,
  { after, limit }: Span,
): Promise<Supplier[]> =>
  all(db, scope)
    .$if(after !== null, (rows) =>
      rows.where(sql<boolean>`(lower(name), id) > (lower(${after?.[0]}), ${after?.[1]})`),
    )
    .$if(q !== undefined, (rows) =>
      rows.where((eb) =>
        eb.or(
          (['name', 'contact', 'phone', 'email'] as const).map(
            (field) => sql<boolean>`strpos(lower(${eb.ref(field)}), lower(${q ?? ''})) > 0`,
          ),
        ),
      ),
    )
    .orderBy(orderByName('name'))
    .orderBy('id')
    .limit(limit)
    .execute()

export const find = (db: Db, scope: Scope, id: string) =>
  all(db, scope).where('id', '=', id).executeTakeFirst()

export async function insert(tx: Tx, scope: Scope, input: SupplierIn) {
  const id = newId('supplier')
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  await insertOwn(tx, scope, 'suppliers', { ...input, id, ...stamps }).execute()
  return id
}

export const update = (tx: Tx, scope: Scope, id: string, patch: SupplierPatch) =>
  updateOwn(tx, scope, 'suppliers')
    .set({ ...patch, updatedAt: scope.now })
    .where('id', '=', id)
    .execute()
