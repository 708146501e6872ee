export { forwardedRoutes as paymentRoutes } from './forwarded.ts'
