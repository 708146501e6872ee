export { uploadFiles } from './files.ts'
export { uploadJobs } from './jobs.ts'
export { uploadRoutes } from './routes.ts'
