import { type Static, Type } from 'typebox'
import { AnyPassword, NewPassword } from '../../../platform/auth/passwords.ts'
import { Pin } from '../../../platform/auth/pins.ts'
import { Deleted, Id, Instant, Nullable, Text, Timestamps, Words } from '../../../platform/http/shapes.ts'
import { ROLES } from '../../../platform/scope.ts'
import { ApiKey } from '../api-keys/index.ts'

export const Email = Type.String({ minLength: 3, maxLength: 200, format: 'email' })
/** Returns true if an external text can be the address of a member. */
export const isAddress = (text: string) => text.length <= 200 && /^[^\s\p{C}@]+@[^\s\p{C}@]+$/u.test(text)
export const Role = Words(ROLES, {
  description: 'A cashier sells; a manager runs the shop; an owner also manages members and API keys',
})

export const MemberIn = Type.Object(
  {
    email: Email,
    name: Text(120),
    role: Role,
    password: Type.Optional(NewPassword),
  },
  { title: 'MemberCreate' },
)
export const MemberPatch = Type.Partial(
  Type.Object({
    email: Email,
    name: Text(120),
    role: Role,
    password: NewPassword,
    pin: Nullable({
      ...Pin,
      description: 'For signing in at an enrolled till: 4 to 8 digits; null removes it',
    }),
    currentPassword: AnyPassword,
    revokeKeys: Type.Boolean({
      description: 'With a role other than OWNER: also revoke the API keys that the member created',
    }),
  }),
  { title: 'MemberUpdate' },
)
export const Member = Type.Object(
  {
    id: Id,
    email: Type.String(),
    name: Text(120),
    role: Role,
    status: Words(['ACTIVE', 'INVITED']),
    inviteExpiresAt: Nullable(Instant),
    emailVerifiedAt: Nullable({
      ...Instant,
      description: 'When the member last confirmed the address `email`; null before that',
    }),
    secondFactor: Type.Boolean({
      description: 'Whether a sign-in also needs a code of an authenticator app',
    }),
    hasPin: Type.Boolean({ description: 'Whether the member has a PIN for tills' }),
    ...Timestamps,
  },
  { title: 'Member' },
)

export const MemberChange = Type.Object({
  member: Member,
  apiKeys: Type.Optional(
    Type.Array(ApiKey, {
      description: 'With a role other than OWNER: the keys that the member created, newest first',
    }),
  ),
})
export const Removed = Type.Object({
  ...Deleted.properties,
  apiKeys: Type.Array(ApiKey, { description: 'The keys that the member created, newest first' }),
})

export type MemberIn = Static<typeof MemberIn>
export type MemberPatch = Static<typeof MemberPatch>
export type MemberChange = Static<typeof MemberChange>
export type Member = Static<typeof Member>
