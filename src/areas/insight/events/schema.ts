import { type Static, Type } from 'typebox'
import { EventActor } from '../../../platform/event-actor.ts'
import { Id, Instant, Nullable, PageQuery, Words } from '../../../platform/http/shapes.ts'

export const EventQuery = Type.Object({
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'An event type' })),
  resource: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'The id of the record that events are about' }),
  ),
  order: Type.Optional(
    Words(['newest', 'oldest'] as const, {
      description:
        'newest (the default) reads back in time. oldest follows the log: it always answers a cursor to go on with, also when nothing is new, and misses no event that is committed late',
    }),
  ),
  since: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'With order=oldest and no cursor: where to begin; without it, at the oldest that is kept',
    }),
  ),
  ...PageQuery,
})

const LogActor = Type.Object({
  ...EventActor.properties,
  name: Nullable(
    Type.String({
      description:
        'A member as they are called now, null once they were removed; an API key as it was called then',
    }),
  ),
})

export const LogEvent = Type.Object(
  {
    id: Id,
    type: Type.String(),
    createdAt: Instant,
    resourceId: Type.String({ description: 'The id of the record it is about' }),
    actor: Nullable(LogActor),
    requestId: Nullable(Type.String({ description: 'Of the request that caused it' })),
    address: Nullable(Type.String({ description: 'The network address that the request came from' })),
    data: Type.Unknown({ description: 'As webhooks are sent it; docs/events.md lists what each type holds' }),
  },
  { title: 'Event' },
)

export type EventQuery = Static<typeof EventQuery>
export type LogEvent = Static<typeof LogEvent>
