import { Type } from 'typebox'
import { APPROVAL_ACTIONS } from '../../../core/approvals.ts'
import { event } from '../../../core/events.ts'
import { Id, Words } from '../../../platform/http/shapes.ts'
import { Approval, Till } from './schema.ts'

const group = 'till'
const data = Type.Object({ till: Type.Pick(Till, ['id', 'outletId', 'name']) })

export const tillEnrolled = event('audit.till.enrolled.v1', {
  group,
  meaning: 'A browser was enrolled as a till: members sign in there with their PIN.',
  data,
})
export const tillRevoked = event('audit.till.revoked.v1', {
  group,
  meaning: 'A till was revoked, and its PIN sessions ended.',
  data,
})
export const approvalGiven = event('audit.approval.given.v1', {
  group,
  meaning:
    'A manager or owner approved an action of a cashier with their PIN. The actor is the member who was signed in.',
  data: Type.Object({ approval: Approval }),
})

export const approvalRefused = event('audit.approval.refused.v1', {
  group,
  meaning:
    'A wrong PIN of a manager or owner, whom `memberId` names, was entered to approve an action. The actor is the member who was signed in.',
  data: Type.Object({ memberId: Id, action: Words(APPROVAL_ACTIONS), tillId: Id }),
})

export const tillEvents = [tillEnrolled, tillRevoked, approvalGiven, approvalRefused]
