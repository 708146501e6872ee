export { referralJobs } from './jobs.ts'
export { followLink } from './public.ts'
export { referralRoutes } from './routes.ts'
