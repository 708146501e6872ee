import { type Static, Type } from 'typebox'
import { AnyPassword, NewPassword } from '../../../platform/auth/passwords.ts'
import { Deleted, Id, Instant, Nullable, Text, Timestamps, Words } from '../../../platform/http/shapes.ts'
import { ROLES } from '../../../platform/scope.ts'
import { ApiKey } from '../api-keys/index.ts'

export const Email = Type.String({ minLength: 3, maxLength: 200, format: 'email' })
/** Whether a text from elsewhere can be an address of a member. */
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
    currentPassword: AnyPassword,
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
      description: 'When the member last proved to read the mailbox of `email`; null before that',
    }),
    secondFactor: Type.Boolean({
      description: 'Whether signing in takes a code of an authenticator app too',
    }),
    ...Timestamps,
  },
  { title: 'Member' },
)

export const Removed = Type.Object({
  ...Deleted.properties,
  apiKeys: Type.Array(ApiKey, { description: 'Those that the member made, newest first' }),
})

export type MemberIn = Static<typeof MemberIn>
export type MemberPatch = Static<typeof MemberPatch>
export type Member = Static<typeof Member>
