import { Type } from 'typebox'
import { event } from '../../../core/events.ts'
import { Shipment } from './schema.ts'

const of = { group: 'shipment', data: Type.Object({ shipment: Shipment }) }

export const shipmentCreated = event('service.shipment.created.v1', {
  ...of,
  meaning: 'A shipment was created as a draft. No courier is booked yet.',
})
export const shipmentUpdated = event('service.shipment.updated.v1', {
  ...of,
  meaning: 'A shipment changed: a courier was booked, or its state changed.',
})
export const shipmentCancelled = event('service.shipment.cancelled.v1', {
  ...of,
  meaning: 'A shipment was cancelled.',
})

export const shipmentEvents = [shipmentCreated, shipmentUpdated, shipmentCancelled]
