export { purchaseOrderEvents } from './events.ts'
export { purchaseOrderRoutes } from './routes.ts'
