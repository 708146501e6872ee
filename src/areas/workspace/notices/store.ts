import type { Tx } from '../../../platform/db/open.ts'
import { ownRows } from '../../../platform/db/own-rows.ts'
import type { Scope } from '../../../platform/scope.ts'

const MOST_OWNERS = 20

const people = (tx: Tx, scope: Scope) =>
  ownRows(tx, scope, 'members').select(['email', 'name', 'emailVerifiedAt'])

export const findPerson = (tx: Tx, scope: Scope, id: string) =>
  people(tx, scope).where('id', '=', id).execute()

/** Lists owners who can sign in, oldest first, always in the same order. */
export const listOwners = async (tx: Tx, scope: Scope) => {
  const owners = await people(tx, scope)
    .where('role', '=', 'OWNER')
    .where('inviteHash', 'is', null)
    .orderBy('id')
    .limit(MOST_OWNERS)
    .execute()
  return owners.toSorted((a, b) => (a.email < b.email ? -1 : 1))
}
