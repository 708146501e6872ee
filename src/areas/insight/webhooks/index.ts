/** Webhook endpoints and their deliveries */

export { webhookEvents } from './events.ts'
export { webhookRoutes } from './routes.ts'
export { announceSwitchedOff } from './switched-off.ts'
