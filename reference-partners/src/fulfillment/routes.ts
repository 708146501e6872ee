import type { PartnerRoute } from '../kit/http/route.ts'
import { workspaceRoutesWith } from '../kit/workspaces/routes.ts'
import { creditRoutes } from './credits/routes.ts'
import { openCredits } from './credits/service.ts'
import { inventoryRoutes } from './inventory/routes.ts'
import { licenseRoutes } from './licenses/routes.ts'
import { shipmentRoutes } from './shipments/routes.ts'
import { shippingRoutes } from './shipping/routes.ts'
import { warehouseRoutes } from './warehouses/routes.ts'

/** Every route of the partner, in the order of its document. */
export const routes: readonly PartnerRoute[] = [
  ...workspaceRoutesWith(openCredits),
  ...shippingRoutes,
  ...shipmentRoutes,
  ...creditRoutes,
  ...warehouseRoutes,
  ...inventoryRoutes,
  ...licenseRoutes,
]
