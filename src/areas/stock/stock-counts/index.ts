/** Stock counts: goods counted by several devices while tills sell, and posted as one adjustment */

export { stockCountEvents } from './events.ts'
export { stockCountRoutes } from './routes.ts'
