import { type Static, Type } from 'typebox'
import { APPROVAL_ACTIONS } from '../../../core/approvals.ts'
import { Pin } from '../../../platform/auth/pins.ts'
import { Id, Instant, Nullable, Text, Timestamps, Words } from '../../../platform/http/shapes.ts'
import { ROLES } from '../../../platform/scope.ts'

export const TillIn = Type.Object({ outletId: Id, name: Text(80) }, { title: 'TillCreate' })
export const Till = Type.Object(
  {
    id: Id,
    outletId: Id,
    name: Text(80),
    enrolledBy: Type.String({ description: 'The member who enrolled it' }),
    lastSeenAt: {
      ...Instant,
      description: 'When a member last signed in or worked there with a PIN, to the minute',
    },
    ...Timestamps,
  },
  { title: 'Till' },
)
/** The data of the lock screen of a till. */
export const PinHolder = Type.Object(
  { id: Id, name: Type.String(), role: Words(ROLES) },
  { title: 'PinHolder' },
)

export const ApprovalIn = Type.Object(
  {
    memberId: { ...Id, description: 'The manager or owner who approves' },
    pin: Pin,
    action: Words(APPROVAL_ACTIONS),
    subjectId: Type.Optional(
      Nullable({
        ...Id,
        description:
          'The record that it is for: the first id in the path of the request. Without it the approval fits any record',
      }),
    ),
  },
  { title: 'ApprovalCreate' },
)
export const Approval = Type.Object(
  {
    id: Id,
    action: Words(APPROVAL_ACTIONS),
    subjectId: Nullable(Id),
    tillId: Id,
    approvedBy: Type.String({ description: 'The member who approved' }),
    expiresAt: Instant,
  },
  { title: 'Approval' },
)

export type TillIn = Static<typeof TillIn>
export type Till = Static<typeof Till>
export type ApprovalIn = Static<typeof ApprovalIn>
export type Approval = Static<typeof Approval>
