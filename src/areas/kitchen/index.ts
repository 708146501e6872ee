export { kitchenRoutes } from './routes.ts'
export { isKitchenSale, isOnBoard, type KitchenState, ticketState } from './rules.ts'
export { announceIfReady } from './service.ts'
