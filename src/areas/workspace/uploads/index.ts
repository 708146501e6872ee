/** Uploaded images of products, and the logo of receipts */

export { uploadFiles } from './files.ts'
export { uploadJobs } from './jobs.ts'
export { logoReader } from './logo.ts'
export { uploadRoutes } from './routes.ts'
export { keepReferenced, requireLogo } from './service.ts'
