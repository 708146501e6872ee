import { forwardedRoutes } from './forwarded.ts'
import { collectRoutes } from './routes.ts'

export { applyEvidence, type Transact } from './evidence.ts'
export { paymentJobs } from './jobs.ts'

export const paymentRoutes = [...collectRoutes, ...forwardedRoutes]
