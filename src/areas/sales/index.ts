export { receiptRoutes } from './receipt/routes.ts'
export { saleRoutes } from './routes.ts'
