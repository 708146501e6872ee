/** Forwarded routes of the fulfillment partner for couriers, shipments and warehouses */

export { fulfillmentRoutes } from './forwarded.ts'
