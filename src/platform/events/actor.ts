import { Type } from 'typebox'
import { Id, Nullable, Words } from '../http/shapes.ts'
import { ACTOR_KINDS, DELEGATION_MODES, type Scope } from '../scope.ts'

/** The actor of an audit event. */
export const EventActor = Type.Object({
  kind: Words(ACTOR_KINDS),
  id: Id,
  name: Type.Optional(Type.String({ description: 'Of an API key; events name members by id alone' })),
  delegation: Type.Optional(
    Type.Object(
      { mode: Words(DELEGATION_MODES), id: Id, run: Nullable(Type.String()) },
      { description: 'The run of an assistant that acted for the member' },
    ),
  ),
})

/**
 * The actor as an event stores it. A member is stored by id alone, so that no event names a removed member
 * (B-event-5).
 */
export const actorOf = ({ actor: { kind, id, name, delegation } }: Scope) => ({
  kind,
  id,
  ...(kind === 'apiKey' ? { name } : {}),
  ...(delegation === undefined ? {} : { delegation }),
})
