export { saleCompleted, saleEvents, saleRefunded, saleVoided } from './events.ts'
export { receiptRoutes } from './receipt/routes.ts'
export { METHOD_WORDS } from './receipt/words.ts'
export { saleRoutes } from './routes.ts'
// Nothing in src calls this yet: its route comes with the inbound receivers of the payment partner. Its tests do.
export { confirmPayment } from './verbs/confirm-payment.ts'
