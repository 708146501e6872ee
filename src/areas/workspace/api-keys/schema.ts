import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, Text, Timestamps } from '../../../platform/http/shapes.ts'

export const ApiKeyIn = Type.Object(
  {
    name: Text(120),
    readOnly: Type.Optional(Type.Boolean({ description: 'The key may call GET routes only' })),
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
      Type.String({ description: 'The member (usr_) or the API key (ak_) that made it; null when unknown' }),
    ),
    createdByName: Nullable(Type.String({ description: 'As it was then' })),
    creatorLeft: Type.Boolean({ description: 'The member who made it has left' }),
    lastUsedAt: Nullable(Instant),
    revokedAt: Nullable(Instant),
    ...Timestamps,
  },
  { title: 'ApiKey' },
)

export type ApiKeyIn = Static<typeof ApiKeyIn>
export type ApiKey = Static<typeof ApiKey>
