/** Reports on sales, margins and shifts, with the rows behind every figure */

export { reportJobs } from './jobs.ts'
export { rebuildRollups } from './rebuild.ts'
export { reportRoutes } from './routes.ts'
