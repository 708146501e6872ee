import type { PartnerRoute } from '../kit/http/route.ts'
import { workspaceRoutes } from '../kit/workspaces/routes.ts'
import { avatarRoutes } from './avatars/routes.ts'
import { discountRoutes } from './discounts/routes.ts'
import { redemptionRoutes } from './redemptions/routes.ts'
import { reminderRoutes } from './reminders/routes.ts'

/** Every route of the partner, in the order of its document. */
export const routes: readonly PartnerRoute[] = [
  ...workspaceRoutes,
  ...discountRoutes,
  ...redemptionRoutes,
  ...reminderRoutes,
  ...avatarRoutes,
]
