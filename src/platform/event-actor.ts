import { Type } from 'typebox'
import { Id, Nullable, Words } from './http/shapes.ts'
import { ACTOR_KINDS, DELEGATION_MODES, type Scope } from './scope.ts'

/** Who did it, as an audit event says. */
export const EventActor = Type.Object({
  kind: Words(ACTOR_KINDS),
  id: Id,
  name: Type.String(),
  delegation: Type.Optional(
    Type.Object(
      { mode: Words(DELEGATION_MODES), id: Id, run: Nullable(Type.String()) },
      { description: 'The run of an assistant that acted for the member' },
    ),
  ),
})

export const actorOf = ({ actor: { kind, id, name, delegation } }: Scope) => ({
  kind,
  id,
  name,
  ...(delegation === undefined ? {} : { delegation }),
})
