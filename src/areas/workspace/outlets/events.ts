import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { EventActor } from '../../../platform/http/actor.ts'
import { Belongings, Outlet } from './schema.ts'

export const outletDeleted = event('audit.outlet.deleted.v1', {
  group: 'outlet',
  meaning:
    'An outlet without sales was deleted. `removed` counts the records that were deleted with it, by kind.',
  data: Type.Object({
    outlet: Outlet,
    removed: Belongings,
    actor: EventActor,
  }),
})

export const outletEvents = [outletDeleted]
