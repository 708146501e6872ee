/** Receives signed notices from partners */

export { noticeExpires } from './expires.ts'
export { inboundRoutesAt } from './routes.ts'
