/** Public addresses of receipts, which a customer opens without a credential */

export { receiptLinkExpires } from './expires.ts'
export { receiptPages } from './page.ts'
export { receiptLinkRoutes } from './routes.ts'
