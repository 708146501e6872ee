export { noticeExpires } from './expires.ts'
export { inboundRoutes } from './routes.ts'
