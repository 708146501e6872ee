import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { EventActor } from '../../../platform/event-actor.ts'
import { Belongings, Outlet } from './schema.ts'

export const outletDeleted = event('audit.outlet.deleted.v1', {
  group: 'outlet',
  meaning:
    'An outlet that never sold was deleted with everything it had; `removed` counts what went with it, by kind.',
  data: Type.Object({
    outlet: Outlet,
    removed: Belongings,
    actor: EventActor,
  }),
})

export const outletEvents = [outletDeleted]
