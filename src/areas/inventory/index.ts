import type { Route } from '../../platform/http/route.ts'

export { MOVEMENT_TYPES, type MovementType } from './movement-types.ts'
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
export { type LevelChange, lockStock, moveStock, type StockLock, type StockMove } from './stock.ts'

export const inventoryRoutes: readonly Route[] = []
