/** Stock levels, movements, counts, transfers, reorder points and batches with expiry dates */

export { postDifferences, shareForStock } from './differences.ts'
export { stockEvents, stockLow, stockReceived } from './events.ts'
export { type Expiry, expiryDay, readExpiry } from './expiry.ts'
export { receiveStock } from './receive.ts'
export { inventoryRoutes } from './routes.ts'
export { explode } from './rules/composite.ts'
export { consumeFefo, returnToBatches, shareParts } from './rules/fefo.ts'
export { Level } from './schema.ts'
export { requireBatchLabel, requireStockable } from './service.ts'
export { hasFallen, lockStock, moveStock, type StockMove } from './stock.ts'
