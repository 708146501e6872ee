// Nothing in src calls this yet: its route comes with the inbound receivers of the payment partner. Its tests do.
export { confirmTender } from './evidence.ts'
export { receiptRoutes } from './receipt/routes.ts'
export { saleRoutes } from './routes.ts'
