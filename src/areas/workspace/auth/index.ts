export { authEvents } from './events.ts'
export { authRoutes } from './routes.ts'
