/** The kitchen board and the serving board */

export { kitchenEvents } from './events.ts'
export { kitchenRoutes } from './routes.ts'
export { isOnBoard, KITCHEN_STATES, ticketState } from './rules.ts'
export { announceIfReady } from './service.ts'
