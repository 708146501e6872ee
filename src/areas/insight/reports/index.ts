export { reportJobs } from './jobs.ts'
export { rebuildRollups } from './rebuild.ts'
export { reportRoutes } from './routes.ts'
