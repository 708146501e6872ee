import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { Subscription } from './schema.ts'

const data = Type.Object({ subscription: Subscription })

export const endpointCreated = event('audit.webhook_subscription.created.v1', {
  group: 'webhook',
  meaning: 'A webhook endpoint was registered.',
  data,
})
export const endpointChanged = event('audit.webhook_subscription.changed.v1', {
  group: 'webhook',
  meaning: 'A webhook endpoint was changed, paused, switched on or switched off.',
  data,
})
export const endpointDeleted = event('audit.webhook_subscription.deleted.v1', {
  group: 'webhook',
  meaning: 'A webhook endpoint was removed.',
  data,
})

export const webhookEvents = [endpointCreated, endpointChanged, endpointDeleted]
