import { type HashedPin, storePin } from '../../../platform/auth/pins.ts'
import type { Tx } from '../../../platform/db/open.ts'
import type { Deps } from '../../../platform/deps.ts'
import { emit } from '../../../platform/events/outbox.ts'
import { type Scope, touchAccess, touchCatalogue } from '../../../platform/scope.ts'
import { notifyPinChanged } from '../notices/index.ts'
import { pinChanged } from './events.ts'

type PinOwner = {
  id: string
  email: string
  name: string
  emailVerifiedAt: string | null
  status: 'ACTIVE' | 'INVITED'
}

/**
 * Sets or removes the PIN of a member, ends their sessions at tills and informs them (B-pin-4). 409 if another member
 * has the PIN. Call it with the workspace's row and the member's locked.
 */
export async function changePin(
  deps: Deps,
  tx: Tx,
  scope: Scope,
  { member, pin }: { member: PinOwner; pin: HashedPin | null },
) {
  const { id } = member
  const { accountId, actor, now } = scope
  if (!(await storePin(tx, { accountId, memberId: id }, pin, now))) return
  touchAccess(scope)
  touchCatalogue(scope, 'member', [id])
  const by = actor.id === id ? 'SELF' : 'OWNER'
  await emit(tx, scope, pinChanged, id, { memberId: id, by, change: pin === null ? 'REMOVED' : 'SET' })
  // A member who has not accepted the invitation has confirmed no mailbox.
  if (member.status === 'ACTIVE')
    await notifyPinChanged(deps, tx, scope, { person: member, isRemoved: pin === null })
}
