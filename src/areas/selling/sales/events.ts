import { Type } from 'typebox'
import { event, Shortened } from '../../../core/events.ts'
import { Payment, Refund, Sale } from './schema.ts'

const group = 'sale'
const SaleInEvent = Shortened(Sale, 'items and refunds')
const data = Type.Object({ sale: SaleInEvent })

export const saleParked = event('service.sale.parked.v1', {
  group,
  meaning: 'A bill was opened.',
  data,
})
export const saleUpdated = event('service.sale.updated.v1', {
  group,
  meaning: 'The items or details of an open bill changed.',
  data,
})
export const saleCompleted = event('service.sale.completed.v1', {
  group,
  meaning: 'A sale was completed.',
  data,
})
export const saleVoided = event('service.sale.voided.v1', {
  group,
  meaning: 'A completed sale was voided.',
  data,
})
export const saleDiscarded = event('service.sale.discarded.v1', {
  group,
  meaning: 'An open bill was discarded.',
  data,
})
export const saleRefunded = event('service.sale.refunded.v1', {
  group,
  meaning: 'Money from a completed sale was given back.',
  data: Type.Object({ sale: SaleInEvent, refund: Refund }),
})

const ofPayment = { group: 'payment', data: Type.Object({ payment: Payment }) }

export const paymentReceived = event('service.payment.received.v1', {
  ...ofPayment,
  meaning: 'A payment became PAID.',
})
export const paymentFailed = event('service.payment.failed.v1', {
  ...ofPayment,
  meaning: 'A payment became FAILED.',
})
export const paymentUnapplied = event('service.payment.unapplied.v1', {
  ...ofPayment,
  meaning: 'Money that the payment partner confirmed belongs to no bill; give it back.',
})

export const paymentCorrected = event('service.sale.payment_corrected.v1', {
  group,
  meaning: 'The method of a payment was corrected.',
  data: Type.Object({ sale: SaleInEvent, payment: Payment }),
})

export const saleEvents = [
  saleParked,
  saleUpdated,
  saleCompleted,
  saleVoided,
  saleDiscarded,
  paymentReceived,
  paymentFailed,
  paymentUnapplied,
  saleRefunded,
  paymentCorrected,
]
