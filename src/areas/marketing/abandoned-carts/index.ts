/** Reminders to customers about open bills */

export { cartJobs } from './jobs.ts'
export { cartRoutes } from './routes.ts'
