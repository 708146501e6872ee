import { Type } from 'typebox'
import { Id, Nullable, Words } from './http/shapes.ts'
import { ACTOR_KINDS, DELEGATION_MODES, type Scope } from './scope.ts'

/** Who did it, as an audit event says. */
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

/** What an event keeps of its actor: of a member the id alone, so that whoever is removed is named nowhere (B-event-5). */
export const actorOf = ({ actor: { kind, id, name, delegation } }: Scope) => ({
  kind,
  id,
  ...(kind === 'apiKey' ? { name } : {}),
  ...(delegation === undefined ? {} : { delegation }),
})
