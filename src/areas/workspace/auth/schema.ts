import { type Static, Type } from 'typebox'
import { TIERS } from '../../../core/plans.ts'
import { AnyPassword, NewPassword } from '../../../platform/auth/passwords.ts'
import { Id, Nullable, Text, Words } from '../../../platform/http/shapes.ts'
import { DELEGATION_MODES, ROLES } from '../../../platform/scope.ts'
import { Email } from '../members/index.ts'
import { BusinessType } from '../settings/index.ts'

export const SignUp = Type.Object(
  {
    email: Email,
    password: NewPassword,
    name: Type.Optional(Text(120)),
    businessName: Type.Optional(Text(120)),
    businessType: Type.Optional(BusinessType),
  },
  { title: 'Signup' },
)
export const LogIn = Type.Object({ email: Text(200), password: AnyPassword }, { title: 'Login' })
export const Acceptance = Type.Object(
  { token: Text(200), password: NewPassword },
  { title: 'InvitationAccept' },
)

export const Forgotten = Type.Object({ email: Text(200) }, { title: 'ForgottenPassword' })
export const Reset = Type.Object({ token: Text(200), password: NewPassword }, { title: 'PasswordReset' })

const User = Type.Object(
  {
    id: Id,
    email: Nullable(Type.String({ description: 'null for an API key' })),
    name: Type.String(),
    role: Words(ROLES),
  },
  { title: 'User' },
)
const Account = Type.Object(
  {
    id: Id,
    businessName: Text(120),
    businessType: BusinessType,
    effectiveTier: Words(TIERS),
  },
  { title: 'Account' },
)
export const Who = Type.Object({ user: User, account: Account })
export const Me = Type.Object({
  user: User,
  account: Account,
  credential: Type.Object({
    type: Words(['session', 'apiKey', 'jwt', 'delegation']),
    mode: Type.Optional(Words(DELEGATION_MODES)),
    run: Type.Optional(Nullable(Type.String())),
  }),
})

export type SignUp = Static<typeof SignUp>
export type LogIn = Static<typeof LogIn>
export type Acceptance = Static<typeof Acceptance>
export type Forgotten = Static<typeof Forgotten>
export type Reset = Static<typeof Reset>
export type Who = Static<typeof Who>
export type Me = Static<typeof Me>
