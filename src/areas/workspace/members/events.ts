import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { Words } from '../../../platform/http/shapes.ts'
import { Member } from './schema.ts'

/** No name and no address: events outlive the member (B-event-5). */
const InEvent = Type.Pick(Member, ['id', 'role', 'status'])

/** What a change of a member is told as; a password is an event of its own. */
export const TOLD = ['email', 'name', 'role'] as const

export const memberAdded = event('audit.member.added.v1', {
  group: 'member',
  meaning: 'A member was added, or invited where `status` is INVITED.',
  data: Type.Object({ member: InEvent }),
})
export const memberChanged = event('audit.member.changed.v1', {
  group: 'member',
  meaning: 'Role, name or address of a member changed; `changed` says which.',
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
    'The password of a member changed, and their sessions ended. `by` is SELF with the current password, LINK through a mailed link, OWNER when an owner set it.',
  data: Type.Object({ memberId: Member.properties.id, by: Words(PASSWORD_BY) }),
})

export const memberEvents = [memberAdded, memberChanged, memberRemoved, passwordChanged]
