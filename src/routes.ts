import { apiKeyRoutes } from './areas/api-keys/index.ts'
import { authRoutes } from './areas/auth/index.ts'
import { categoryRoutes } from './areas/categories/index.ts'
import { customerRoutes } from './areas/customers/index.ts'
import { giftCardRoutes } from './areas/gift-cards/index.ts'
import { healthRoutes } from './areas/health/index.ts'
import { inventoryRoutes } from './areas/inventory/index.ts'
import { kitchenRoutes } from './areas/kitchen/index.ts'
import { liveRoutes } from './areas/live/index.ts'
import { memberRoutes } from './areas/members/index.ts'
import { modifierRoutes } from './areas/modifiers/index.ts'
import { outletRoutes } from './areas/outlets/index.ts'
import { productRoutes } from './areas/products/index.ts'
import { purchaseOrderRoutes } from './areas/purchase-orders/index.ts'
import { receiptRoutes, saleRoutes } from './areas/sales/index.ts'
import { settingsRoutes } from './areas/settings/index.ts'
import { shiftRoutes } from './areas/shifts/index.ts'
import { supplierRoutes } from './areas/suppliers/index.ts'
import { tableRoutes } from './areas/tables/index.ts'
import type { Route } from './platform/http/route.ts'

/** Every route of the service, in the order of the reference. */
export const routes: readonly Route[] = [
  ...authRoutes,
  ...memberRoutes,
  ...apiKeyRoutes,
  ...outletRoutes,
  ...categoryRoutes,
  ...productRoutes,
  ...modifierRoutes,
  ...saleRoutes,
  ...receiptRoutes,
  ...tableRoutes,
  ...kitchenRoutes,
  ...liveRoutes,
  ...inventoryRoutes,
  ...supplierRoutes,
  ...purchaseOrderRoutes,
  ...customerRoutes,
  ...giftCardRoutes,
  ...shiftRoutes,
  ...settingsRoutes,
  ...healthRoutes,
]
