import { type Static, Type } from 'typebox'
import { EventActor } from '../../../platform/http/actor.ts'
import { Id, Instant, Nullable, PageQuery, Words } from '../../../platform/http/shapes.ts'

export const EventQuery = Type.Object({
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'An event type' })),
  resource: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'The id of the record that the events concern' }),
  ),
  order: Type.Optional(
    Words(['newest', 'oldest'] as const, {
      description:
        'newest (the default) reads back in time. oldest follows the log. It returns a cursor even if there are no new events, and it never misses an event that is committed late',
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
        'The current name of a member, or null after their removal; the name of an API key at that time',
    }),
  ),
})

export const LogEvent = Type.Object(
  {
    id: Id,
    type: Type.String(),
    createdAt: Instant,
    resourceId: Type.String({ description: 'The id of the record that the event concerns' }),
    actor: Nullable(LogActor),
    requestId: Nullable(Type.String({ description: 'The id of the request that caused the event' })),
    address: Nullable(Type.String({ description: 'The network address of the client' })),
    data: Type.Unknown({
      description: 'The body that webhooks receive; docs/events.md lists the fields of each type',
    }),
  },
  { title: 'Event' },
)

export type EventQuery = Static<typeof EventQuery>
export type LogEvent = Static<typeof LogEvent>
