import type { PartnerRoute } from '../kit/http/route.ts'
import { workspaceRoutes } from '../kit/workspaces/routes.ts'
import { shipmentRoutes } from './shipments/routes.ts'
import { shippingRoutes } from './shipping/routes.ts'

/** Every route of the partner, in the order of its document. */
export const routes: readonly PartnerRoute[] = [...workspaceRoutes, ...shippingRoutes, ...shipmentRoutes]
