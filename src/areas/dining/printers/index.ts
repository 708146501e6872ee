/** Printers, the jobs they print, and drawers */

export { printerExpires } from './expires.ts'
export { queueLabels, queueReceipt, queueSlips } from './queue.ts'
export { printerRoutes } from './routes.ts'
export { PrintJob } from './schema.ts'
export { getPrinter } from './service.ts'
export { hasPrinted } from './store.ts'
export { startPrinting } from './worker.ts'
