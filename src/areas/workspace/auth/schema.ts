import { type Static, Type } from 'typebox'
import { TIERS } from '../../../core/plans.ts'
import { AnyPassword, NewPassword } from '../../../platform/auth/passwords.ts'
import { Pin } from '../../../platform/auth/pins.ts'
import { Id, Instant, Nullable, Text, Words } from '../../../platform/http/shapes.ts'
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

export const PasswordChange = Type.Object(
  { currentPassword: AnyPassword, password: NewPassword },
  { title: 'PasswordChange' },
)

export const PinSignIn = Type.Object({ memberId: Id, pin: Pin }, { title: 'PinLogin' })
export const PinChange = Type.Object(
  {
    pin: Nullable({ ...Pin, description: '4 to 8 digits that no other member has; null removes it' }),
    currentPassword: Type.Optional(AnyPassword),
  },
  { title: 'PinChange' },
)

export const Code = Text(40)
const currentPassword = Type.Optional(AnyPassword)
export const Enrolment = Type.Object({ currentPassword }, { title: 'SecondFactorSetup' })
export const Confirmation = Type.Object(
  { code: { ...Code, description: 'Six digits of the authenticator app' } },
  { title: 'SecondFactorConfirm' },
)
export const FactorProof = Type.Object(
  {
    currentPassword,
    code: { ...Code, description: 'Six digits of the authenticator app, or a recovery code' },
  },
  { title: 'SecondFactorProof' },
)
export const SecondStep = Type.Object(
  {
    challenge: Text(1_000),
    code: { ...Code, description: 'Six digits of the authenticator app, or a recovery code' },
  },
  { title: 'LoginSecondFactor' },
)
export const SecondFactor = Type.Object(
  {
    enabled: Type.Boolean(),
    enabledAt: Nullable(Instant),
    recoveryCodesLeft: Type.Integer({ minimum: 0, maximum: 10 }),
    required: Type.Boolean({ description: 'Whether the workspace requires one of this member' }),
  },
  { title: 'SecondFactor' },
)
export const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Each works once in the place of a code. They are shown this one time',
})

export const Session = Type.Object(
  {
    id: Id,
    createdAt: Instant,
    lastSeenAt: { ...Instant, description: 'To the minute' },
    expiresAt: {
      ...Instant,
      description: 'The end of the session without further use; at the latest 30 days after its begin',
    },
    current: Type.Boolean({ description: 'The session of this very browser' }),
    browser: Nullable(
      Type.String({ description: 'The browser at the last use, such as `Chrome on Android`' }),
    ),
    address: Nullable(Type.String({ description: 'The network address it was last used from' })),
    tillId: Nullable({
      ...Id,
      description: 'The till where it began with a PIN; null for every other session',
    }),
  },
  { title: 'Session' },
)

export const Proof = Type.Object({ token: Text(200) }, { title: 'AddressProof' })
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
  user: Type.Object(
    {
      ...User.properties,
      emailVerifiedAt: Nullable({
        ...Instant,
        description:
          'When you last proved to read the mailbox of `email`; null before that, and for an API key',
      }),
    },
    { title: 'Caller' },
  ),
  account: Account,
  credential: Type.Object({
    type: Words(['session', 'apiKey', 'jwt', 'delegation']),
    mode: Type.Optional(Words(DELEGATION_MODES)),
    run: Type.Optional(Nullable(Type.String())),
  }),
})

export type PinSignIn = Static<typeof PinSignIn>
export type PinChange = Static<typeof PinChange>
export type Enrolment = Static<typeof Enrolment>
export type FactorProof = Static<typeof FactorProof>
export type SecondStep = Static<typeof SecondStep>
export type SecondFactor = Static<typeof SecondFactor>
export type SignUp = Static<typeof SignUp>
export type LogIn = Static<typeof LogIn>
export type Acceptance = Static<typeof Acceptance>
export type Forgotten = Static<typeof Forgotten>
export type Reset = Static<typeof Reset>
export type Proof = Static<typeof Proof>
export type PasswordChange = Static<typeof PasswordChange>
export type Session = Static<typeof Session>
export type Who = Static<typeof Who>
export type Me = Static<typeof Me>
