import { Type } from 'typebox'
import { event, Shortened } from '../../../core/events.ts'
import { Ticket } from './schema.ts'

export const ticketReady = event('service.kitchen.ticket_ready.v1', {
  group: 'kitchen',
  meaning: 'All items of a ticket are ready to serve.',
  data: Type.Object({ ticket: Shortened(Ticket) }),
})

export const kitchenEvents = [ticketReady]
