/** The plan of a workspace, its caps, and checkouts for a paid plan */

export { billingEvents } from './events.ts'
export { checkoutExpires } from './expires.ts'
export { billingJobs } from './jobs.ts'
export { billingRoutes } from './routes.ts'
export { applyPlan, grantPlan } from './service.ts'
