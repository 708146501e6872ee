import { categoryRoutes } from './areas/catalogue/categories/index.ts'
import { modifierRoutes } from './areas/catalogue/modifiers/index.ts'
import { productRoutes } from './areas/catalogue/products/index.ts'
import { kitchenRoutes } from './areas/dining/kitchen/index.ts'
import { printerRoutes } from './areas/dining/printers/index.ts'
import { tableRoutes } from './areas/dining/tables/index.ts'
import { eventRoutes } from './areas/insight/events/index.ts'
import { liveRoutes } from './areas/insight/live/index.ts'
import { reportRoutes } from './areas/insight/reports/index.ts'
import { catalogueRoutes } from './areas/insight/till-catalogue/index.ts'
import { webhookRoutes } from './areas/insight/webhooks/index.ts'
import { cartRoutes } from './areas/marketing/abandoned-carts/index.ts'
import { avatarRoutes } from './areas/marketing/avatar/index.ts'
import { blogRoutes } from './areas/marketing/blog/index.ts'
import { feedRoutes } from './areas/marketing/feeds/index.ts'
import { pixelRoutes } from './areas/marketing/pixels/index.ts'
import { referralRoutes } from './areas/marketing/referrals/index.ts'
import { storefrontRoutes } from './areas/marketing/storefront/index.ts'
import { deliveryRoutes } from './areas/partners/delivery/index.ts'
import { fulfillmentRoutes } from './areas/partners/fulfillment/index.ts'
import { inboundRoutesAt } from './areas/partners/inbound/index.ts'
import { paymentRoutes } from './areas/partners/payments/index.ts'
import { customerCreditRoutes } from './areas/selling/customer-credit/index.ts'
import { customerGroupRoutes, customerRoutes } from './areas/selling/customers/index.ts'
import { giftCardRoutes } from './areas/selling/gift-cards/index.ts'
import { labelRoutes } from './areas/selling/labels/index.ts'
import { pricingRoutes, promotionRoutes } from './areas/selling/pricing/index.ts'
import { receiptLinkRoutes } from './areas/selling/receipt-links/index.ts'
import { receiptRoutes, saleRoutes } from './areas/selling/sales/index.ts'
import { shiftRoutes } from './areas/selling/shifts/index.ts'
import { inventoryRoutes } from './areas/stock/inventory/index.ts'
import { purchaseOrderRoutes } from './areas/stock/purchase-orders/index.ts'
import { stockCountRoutes } from './areas/stock/stock-counts/index.ts'
import { supplierRoutes } from './areas/stock/suppliers/index.ts'
import { apiKeyRoutes } from './areas/workspace/api-keys/index.ts'
import { authRoutes } from './areas/workspace/auth/index.ts'
import { billingRoutes } from './areas/workspace/billing/index.ts'
import { healthRoutes } from './areas/workspace/health/index.ts'
import { memberRoutes } from './areas/workspace/members/index.ts'
import { moduleRoutes } from './areas/workspace/modules/index.ts'
import { operatorRoutes } from './areas/workspace/operator/index.ts'
import { outletRoutes } from './areas/workspace/outlets/index.ts'
import { settingsRoutes } from './areas/workspace/settings/index.ts'
import { approvalRoutes, tillRoutes } from './areas/workspace/tills/index.ts'
import { uploadRoutes } from './areas/workspace/uploads/index.ts'
import type { Config } from './platform/config/config.ts'
import type { Route } from './platform/http/route.ts'

const fixedRoutes: readonly Route[] = [
  ...authRoutes,
  ...memberRoutes,
  ...apiKeyRoutes,
  ...tillRoutes,
  ...approvalRoutes,
  ...billingRoutes,
  ...moduleRoutes,
  ...outletRoutes,
  ...categoryRoutes,
  ...productRoutes,
  ...modifierRoutes,
  ...catalogueRoutes,
  ...saleRoutes,
  ...receiptRoutes,
  ...receiptLinkRoutes,
  ...tableRoutes,
  ...kitchenRoutes,
  ...printerRoutes,
  ...labelRoutes,
  ...liveRoutes,
  ...inventoryRoutes,
  ...supplierRoutes,
  ...stockCountRoutes,
  ...purchaseOrderRoutes,
  ...customerRoutes,
  ...customerGroupRoutes,
  ...customerCreditRoutes,
  ...pricingRoutes,
  ...promotionRoutes,
  ...giftCardRoutes,
  ...shiftRoutes,
  ...reportRoutes,
  ...settingsRoutes,
  ...cartRoutes,
  ...avatarRoutes,
  ...blogRoutes,
  ...feedRoutes,
  ...pixelRoutes,
  ...uploadRoutes,
  ...referralRoutes,
  ...storefrontRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...healthRoutes,
  ...operatorRoutes,
  ...paymentRoutes,
  ...deliveryRoutes,
  ...fulfillmentRoutes,
]

/** Every route of an installation, in the order of the reference. */
export const routesAt = (
  config: Pick<Config, 'paymentProviderSlug' | 'fulfillmentProviderSlug'>,
): readonly Route[] => [...fixedRoutes, ...inboundRoutesAt(config)]

/** Every route under its default path. */
export const routes: readonly Route[] = routesAt({
  paymentProviderSlug: 'payment_provider',
  fulfillmentProviderSlug: 'fulfillment_provider',
})
