import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { Id } from '../../../platform/http/shapes.ts'
import { Customer, LoyaltyEntry } from './schema.ts'
import { CustomerGroup } from './schema-groups.ts'

const group = 'customer'
const data = Type.Object({ customer: Customer })

export const customerCreated = event('service.customer.created.v1', {
  group,
  meaning: 'A customer was created.',
  data,
})
export const customerUpdated = event('service.customer.updated.v1', {
  group,
  meaning: 'A customer changed.',
  data,
})
export const customerDeleted = event('service.customer.deleted.v1', {
  group,
  meaning: 'A customer was deleted or erased.',
  data,
})
export const loyaltyChanged = event('service.loyalty.changed.v1', {
  group,
  meaning: 'Points were earned, redeemed, adjusted or reversed.',
  data: Type.Object({ customerId: Id, entry: LoyaltyEntry }),
})

const groupData = Type.Object({ customerGroup: CustomerGroup })
export const groupCreated = event('service.customer_group.created.v1', {
  group,
  meaning: 'A customer group was created.',
  data: groupData,
})
export const groupUpdated = event('service.customer_group.updated.v1', {
  group,
  meaning: 'A customer group changed its name, or customers were added to it by a rule or a list.',
  data: groupData,
})
export const groupDeleted = event('service.customer_group.deleted.v1', {
  group,
  meaning: 'A customer group was deleted, and its customers are no longer in it.',
  data: groupData,
})

export const customerEvents = [
  customerCreated,
  customerUpdated,
  customerDeleted,
  loyaltyChanged,
  groupCreated,
  groupUpdated,
  groupDeleted,
]
