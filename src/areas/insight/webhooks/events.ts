import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { Subscription } from './schema.ts'

const data = Type.Object({ subscription: Subscription })

export const endpointCreated = event('audit.webhook_subscription.created.v1', {
  group: 'webhook',
  meaning: 'An endpoint was registered that is sent events.',
  data,
})
export const endpointChanged = event('audit.webhook_subscription.changed.v1', {
  group: 'webhook',
  meaning: 'Somebody changed, paused or switched on an endpoint.',
  data,
})
export const endpointDeleted = event('audit.webhook_subscription.deleted.v1', {
  group: 'webhook',
  meaning: 'An endpoint was removed.',
  data,
})

export const webhookEvents = [endpointCreated, endpointChanged, endpointDeleted]
