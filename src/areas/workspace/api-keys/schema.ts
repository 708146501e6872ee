import { type Static, Type } from 'typebox'
import { AnyPassword } from '../../../platform/auth/passwords.ts'
import { Id, Instant, Nullable, Text, Timestamps } from '../../../platform/http/shapes.ts'

export const ApiKeyIn = Type.Object(
  {
    name: Text(120),
    readOnly: Type.Optional(Type.Boolean({ description: 'The key can call GET routes only' })),
    currentPassword: Type.Optional({
      ...AnyPassword,
      description: 'Your password. Required if your sign-in is older than 15 minutes',
    }),
    code: Type.Optional({
      ...Text(40),
      // The format `password` keeps the field out of the fingerprint, so a retry with a newer code is the same
      // request.
      format: 'password',
      description: 'Replaces the password: six digits of your authenticator app, or a recovery code',
    }),
  },
  { title: 'ApiKeyCreate' },
)
export const ApiKey = Type.Object(
  {
    id: Id,
    name: Text(120),
    prefix: Type.String({ description: 'The start of every key: kasir_sk_' }),
    last4: Nullable(Type.String({ description: 'The end of the key; null for keys older than this field' })),
    readOnly: Type.Boolean(),
    createdBy: Nullable(
      Type.String({
        description: 'The member (usr_) or the API key (ak_) that created this key; null if unknown',
      }),
    ),
    createdByName: Nullable(Type.String({ description: 'The name of the creator at that time' })),
    creatorLeft: Type.Boolean({ description: 'True if the member who created the key was removed' }),
    lastUsedAt: Nullable(Instant),
    revokedAt: Nullable(Instant),
    ...Timestamps,
  },
  { title: 'ApiKey' },
)

export type ApiKeyIn = Static<typeof ApiKeyIn>
export type ApiKey = Static<typeof ApiKey>
