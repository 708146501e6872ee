/** The referral program with its links, attributions and rewards */

export { referralJobs } from './jobs.ts'
export { visitLink } from './public.ts'
export { referralRoutes } from './routes.ts'
