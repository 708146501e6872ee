export { fulfillmentRoutes } from './forwarded.ts'
