/** Sign-up, sign-in by password, second factor or OpenID provider, sessions, passwords */

export { authEvents } from './events.ts'
export { authRoutes } from './routes.ts'
export { resetSecondFactor } from './service-second-factor.ts'
