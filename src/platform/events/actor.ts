import type { Scope } from '../scope.ts'

/**
 * The stored form of an actor in an event. A member is stored by id alone, so that no event names a removed member
 * (B-event-5).
 */
export const actorOf = ({ actor: { kind, id, name, delegation } }: Scope) => ({
  kind,
  id,
  ...(kind === 'apiKey' ? { name } : {}),
  ...(delegation === undefined ? {} : { delegation }),
})
