import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { TIERS } from '../../../core/plans.ts'
import { Words } from '../../../platform/http/shapes.ts'
import { BillingSubscription } from './schema.ts'

export const subscriptionChanged = event('service.subscription.changed.v1', {
  group: 'billing',
  meaning: 'The plan of the workspace was paid, was canceled or expired.',
  data: Type.Object({ subscription: BillingSubscription, effectiveTier: Words(TIERS) }),
})

export const billingEvents = [subscriptionChanged]
