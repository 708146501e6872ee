import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, Text, Timestamps } from '../../../platform/http/shapes.ts'

export const ApiKeyIn = Type.Object({
  name: Text(120),
  readOnly: Type.Optional(Type.Boolean({ description: 'The key may call GET routes only' })),
})
export const ApiKey = Type.Object(
  {
    id: Id,
    name: Text(120),
    prefix: Type.String({ description: 'The first 12 characters of the key' }),
    readOnly: Type.Boolean(),
    lastUsedAt: Nullable(Instant),
    revokedAt: Nullable(Instant),
    ...Timestamps,
  },
  { title: 'ApiKey' },
)

export type ApiKeyIn = Static<typeof ApiKeyIn>
export type ApiKey = Static<typeof ApiKey>
