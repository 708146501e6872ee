import { productEvents } from './areas/catalogue/products/index.ts'
import { kitchenEvents } from './areas/dining/kitchen/index.ts'
import { webhookEvents } from './areas/insight/webhooks/index.ts'
import { shipmentEvents } from './areas/partners/delivery/index.ts'
import { customerCreditEvents } from './areas/selling/customer-credit/index.ts'
import { customerEvents } from './areas/selling/customers/index.ts'
import { giftCardEvents } from './areas/selling/gift-cards/index.ts'
import { pricingEvents } from './areas/selling/pricing/index.ts'
import { saleEvents } from './areas/selling/sales/index.ts'
import { shiftEvents } from './areas/selling/shifts/index.ts'
import { stockEvents } from './areas/stock/inventory/index.ts'
import { purchaseOrderEvents } from './areas/stock/purchase-orders/index.ts'
import { stockCountEvents } from './areas/stock/stock-counts/index.ts'
import { apiKeyEvents } from './areas/workspace/api-keys/index.ts'
import { authEvents } from './areas/workspace/auth/index.ts'
import { billingEvents } from './areas/workspace/billing/index.ts'
import { memberEvents } from './areas/workspace/members/index.ts'
import { moduleEvents } from './areas/workspace/modules/index.ts'
import { outletEvents } from './areas/workspace/outlets/index.ts'
import { settingsEvents } from './areas/workspace/settings/index.ts'
import { tillEvents } from './areas/workspace/tills/index.ts'
import { byName } from './core/events.ts'
import { delegateWrote } from './platform/http/delegated.ts'

/** Every event of the service by name, in the order of docs/events.md. */
export const events = byName([
  ...saleEvents,
  ...stockEvents,
  ...stockCountEvents,
  ...productEvents,
  ...customerEvents,
  ...customerCreditEvents,
  ...pricingEvents,
  ...giftCardEvents,
  ...shiftEvents,
  ...purchaseOrderEvents,
  ...kitchenEvents,
  ...shipmentEvents,
  ...outletEvents,
  ...billingEvents,
  ...moduleEvents,
  ...authEvents,
  ...memberEvents,
  ...apiKeyEvents,
  ...tillEvents,
  ...settingsEvents,
  ...webhookEvents,
  delegateWrote,
])
