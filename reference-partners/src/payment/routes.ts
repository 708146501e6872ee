import type { PartnerRoute } from '../kit/http/route.ts'
import { workspaceRoutes } from '../kit/workspaces/routes.ts'
import { customerRoutes } from './customers/routes.ts'
import { giftCardRoutes } from './gift-cards/routes.ts'
import { invoiceRoutes } from './invoices/routes.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { payoutRoutes } from './payouts/routes.ts'
import { planRoutes } from './plans/routes.ts'
import { receiptRoutes } from './receipts/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { subscriptionRoutes } from './subscriptions/routes.ts'

/** Every route of the partner, in the order of its document. */
export const routes: readonly PartnerRoute[] = [
  ...workspaceRoutes,
  ...sessionRoutes,
  ...planRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...receiptRoutes,
  ...customerRoutes,
  ...payoutRoutes,
  ...ledgerRoutes,
  ...reportRoutes,
  ...giftCardRoutes,
]
