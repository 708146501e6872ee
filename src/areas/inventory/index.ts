export { type Expiry, expiryDay, readExpiry } from './expiry.ts'
export { MOVEMENT_TYPES, type MovementType } from './movement-types.ts'
export { type Receipt, receiveStock } from './receive.ts'
export { inventoryRoutes } from './routes.ts'
export { availability, explode, type Need, type RecipePart, type StockLine } from './rules/composite.ts'
export {
  type Batch,
  consumeFefo,
  giveBack,
  isExpired,
  type Part,
  sellable,
  shareParts,
} from './rules/fefo.ts'
export { mustBeLabelled } from './service.ts'
export { type LevelChange, lockStock, moveStock, type StockLock, type StockMove } from './stock.ts'
