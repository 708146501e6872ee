export { billingEvents } from './events.ts'
export { billingJobs } from './jobs.ts'
export { billingRoutes } from './routes.ts'
export { applyPlan, planIn } from './service.ts'
