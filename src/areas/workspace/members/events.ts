import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { Words } from '../../../platform/http/shapes.ts'
import { Member } from './schema.ts'

/** Contains no name and no address, because events are kept after the member is removed (B-event-5). */
const InEvent = Type.Pick(Member, ['id', 'role', 'status'])

/** The fields whose change the event announces. A changed password has a separate event. */
export const TOLD = ['email', 'name', 'role'] as const

export const memberAdded = event('audit.member.added.v1', {
  group: 'member',
  meaning: 'A member was added or, if `status` is INVITED, invited.',
  data: Type.Object({ member: InEvent }),
})
export const memberChanged = event('audit.member.changed.v1', {
  group: 'member',
  meaning: 'Role, name or address of a member changed. `changed` lists the changed fields.',
  data: Type.Object({
    member: InEvent,
    changed: Type.Array(Words(TOLD)),
    roleBefore: Member.properties.role,
  }),
})
export const memberRemoved = event('audit.member.removed.v1', {
  group: 'member',
  meaning: 'A member was removed and signed out everywhere.',
  data: Type.Object({ member: InEvent }),
})

export const PASSWORD_BY = ['SELF', 'LINK', 'OWNER'] as const
export const passwordChanged = event('audit.password.changed.v1', {
  group: 'member',
  meaning:
    'The password of a member changed and their sessions ended. `by` is SELF for a change with the current password, LINK for a mailed link, and OWNER if an owner set it.',
  data: Type.Object({ memberId: Member.properties.id, by: Words(PASSWORD_BY) }),
})

export const PIN_BY = ['SELF', 'OWNER'] as const
export const PIN_CHANGES = ['SET', 'REMOVED'] as const
export const pinChanged = event('audit.pin.changed.v1', {
  group: 'member',
  meaning:
    'The PIN of a member was SET or REMOVED, and their sessions at tills ended. `by` is SELF with the current password, OWNER when an owner did it.',
  data: Type.Object({
    memberId: Member.properties.id,
    by: Words(PIN_BY),
    change: Words(PIN_CHANGES),
  }),
})

export const memberEvents = [memberAdded, memberChanged, memberRemoved, passwordChanged, pinChanged]
