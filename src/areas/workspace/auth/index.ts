export { authEvents } from './events.ts'
export { authRoutes } from './routes.ts'
export { resetSecondFactor } from './service-second-factor.ts'
