import { sql } from 'kysely'
import { newId } from '../../../core/ids.ts'
import { containing } from '../../../core/text.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import { orderByName } from '../../../platform/db/order-by-name.ts'
import { deleteOwn, insertOwn, ownRows, updateOwn } from '../../../platform/db/own-rows.ts'
import type { Span } from '../../../platform/http/whole.ts'
import type { Scope } from '../../../platform/scope.ts'
import { ERASED, phoneDigits, phoneKeyOf } from './rules.ts'
import type { CustomerIn, CustomerPatch } from './schema.ts'

const FIELDS = [
  'id',
  'name',
  'phone',
  'email',
  'note',
  'isActive',
  'pointsBalance',
  'totalSpent',
  'visitCount',
  'lastVisitAt',
  'groupIds',
  'creditLimit',
  'creditBalance',
  'createdAt',
  'updatedAt',
] as const

const all = (db: Db, scope: Scope) => ownRows(db, scope, 'customers').select(FIELDS)

export const find = (db: Db, scope: Scope, id: string) =>
  all(db, scope).where('id', '=', id).executeTakeFirst()

/** Locks the customer until the transaction ends, so that no other transaction uses the same balance. */
export const lock = (tx: Tx, scope: Scope, id: string) =>
  all(tx, scope).where('id', '=', id).forUpdate().executeTakeFirst()

export const share = (tx: Tx, scope: Scope, id: string) =>
  all(tx, scope).where('id', '=', id).forKeyShare().executeTakeFirst()

/** The text that the search index covers; it must equal the expression in the migration. */
const SEARCHED = sql<string>`lower(name || E'\\n' || coalesce(phone, '') || E'\\n' || coalesce(email, '') || E'\\n' || coalesce(phone_key, ''))`

/**
 * Lists customers by name, after the key `after`. `q` is searched in name, phone and email: trigrams find candidates,
 * then the exact test follows. Erased customers are left out (B-customer-3).
 */
export function list(db: Db, scope: Scope, q: string | undefined, { after, limit }: Span) {
  const [name, id] = after ?? []
  const rows = all(db, scope)
    .where(sql<boolean>`is_active`)
    .$if(after !== null, (query) => query.where(sql<boolean>`(lower(name), id) > (lower(${name}), ${id})`))
    .orderBy(orderByName('name'))
    .orderBy('id')
    .limit(limit)
  if (q === undefined) return rows.execute()
  const digits = phoneDigits(q)
  const texts = [q.toLowerCase(), ...(digits === null ? [] : [digits])]
  return rows
    .where((eb) => eb.or(texts.map((text) => sql<boolean>`${SEARCHED} like ${containing(text)}`)))
    .where((eb) =>
      eb.or([
        eb('name', 'ilike', containing(q)),
        eb('phone', 'ilike', containing(q)),
        eb('email', 'ilike', containing(q)),
        ...(digits === null ? [] : [eb('phoneKey', 'like', containing(digits))]),
      ]),
    )
    .execute()
}

const DUPLICATES_SHOWN = 20

/** Lists the ids of other customers with this phone or email (B-customer-1). */
export async function listDuplicates(
  db: Db,
  scope: Scope,
  { id, phone, email }: CustomerIn & { id: string },
) {
  const key = phoneKeyOf(phone)
  if (key === null && !email) return []
  const rows = await ownRows(db, scope, 'customers')
    .select('id')
    .where('id', '<>', id)
    .where((eb) =>
      eb.or([
        ...(key === null ? [] : [eb('phoneKey', '=', key)]),
        ...(email ? [eb(sql<string>`lower(email)`, '=', email.toLowerCase())] : []),
      ]),
    )
    .orderBy('id')
    .limit(DUPLICATES_SHOWN)
    .execute()
  return rows.map((row) => row.id)
}

const withPhoneKey = (input: CustomerPatch) =>
  input.phone === undefined ? input : { ...input, phoneKey: phoneKeyOf(input.phone) }

export async function insert(tx: Tx, scope: Scope, input: CustomerIn) {
  const id = newId('customer')
  const stamps = { createdAt: scope.now, updatedAt: scope.now }
  await insertOwn(tx, scope, 'customers', { ...input, ...withPhoneKey(input), id, ...stamps }).execute()
  return id
}

export const update = (tx: Tx, scope: Scope, id: string, patch: CustomerPatch) =>
  updateOwn(tx, scope, 'customers')
    .set({ ...withPhoneKey(patch), updatedAt: scope.now })
    .where('id', '=', id)
    .execute()

export const erase = (tx: Tx, scope: Scope, id: string) =>
  updateOwn(tx, scope, 'customers')
    .set({ ...ERASED, groupIds: [], phoneKey: null, updatedAt: scope.now })
    .where('id', '=', id)
    .execute()

export const remove = (tx: Tx, scope: Scope, id: string) =>
  deleteOwn(tx, scope, 'customers').where('id', '=', id).execute()
