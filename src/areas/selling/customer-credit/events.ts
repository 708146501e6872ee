import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { Id } from '../../../platform/http/shapes.ts'
import { CreditEntry } from './schema.ts'

export const creditChanged = event('service.customer_credit.changed.v1', {
  group: 'customer',
  meaning: 'A customer bought on credit, paid a debt, or a refund took credit back.',
  data: Type.Object({ customerId: Id, entry: CreditEntry }),
})

export const customerCreditEvents = [creditChanged]
