/** Delivery of a sale: quotes, couriers, shipments and tracking */

export { shipmentEvents } from './events.ts'
export { deliveryJobs } from './jobs.ts'
export { progressOf, reported } from './reports.ts'
export { deliveryRoutes } from './routes.ts'
