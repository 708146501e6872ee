export { kitchenRoutes } from './routes.ts'
export { isKitchenSale, isOnBoard, KITCHEN_STATES, type KitchenState, ticketState } from './rules.ts'
export { announceIfReady } from './service.ts'
