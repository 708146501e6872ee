export { confirmTender } from './evidence.ts'
export { receiptRoutes } from './receipt/routes.ts'
export { saleRoutes } from './routes.ts'
