import { Type } from 'typebox'
import { ACTOR_KINDS, DELEGATION_MODES } from '../scope.ts'
import { Id, Nullable, Words } from './shapes.ts'

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
