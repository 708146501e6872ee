export { cartJobs } from './jobs.ts'
export { cartRoutes } from './routes.ts'
