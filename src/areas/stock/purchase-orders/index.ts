/** Purchase orders from draft to receipt of the goods */

export { purchaseOrderEvents } from './events.ts'
export { purchaseOrderRoutes } from './routes.ts'
