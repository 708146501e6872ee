/** The event log: every change with its actor and origin */

export { eventRoutes } from './routes.ts'
