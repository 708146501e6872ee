/** Sales and bills: pay in parts, split, merge, void, discard, refund; receipts as a page, text and ESC/POS */

export { paymentCorrected, saleCompleted, saleEvents, saleRefunded, saleVoided } from './events.ts'
export { printReceipt, publicReceipt, ReceiptPrint, receiptRoutes } from './receipt/routes.ts'
export { saleRoutes } from './routes.ts'
export { awaitPayment, failPayment, lockPayable, readPayable } from './verbs/await-payment.ts'
export { confirmPayment } from './verbs/confirm-payment.ts'
export { lockDelivered, lockDraft, lockSendable, stampDelivery } from './verbs/deliver-sale.ts'
export { skipReceiptNumbers } from './verbs/skip-numbers.ts'
