/** Payment of open bills by QR code and virtual account; forwarded routes of the payment partner */

import { forwardedRoutes } from './forwarded.ts'
import { collectRoutes } from './routes.ts'

export { applyEvidence, type Transact } from './evidence.ts'
export { sessionExpires } from './expires.ts'
export { paymentJobs } from './jobs.ts'

export const paymentRoutes = [...collectRoutes, ...forwardedRoutes]
