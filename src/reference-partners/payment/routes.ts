import type { PartnerRoute } from './http/route.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { workspaceRoutes } from './workspaces/routes.ts'

/** Every route of the partner, in the order of its document. */
export const routes: readonly PartnerRoute[] = [...workspaceRoutes, ...sessionRoutes]
