/** Routes for programs: people have no use for a page that calls them. */
const FOR_PROGRAMS: readonly string[] = [
  // Partners report payments and steps of shipments here.
  'inbound.fulfillment',
  'inbound.payment',
  // The public site of the shop and the ad platforms read these without signing in.
  'storefront.followLink',
  'storefront.getCsvFeed',
  'storefront.getGoogleFeed',
  'storefront.getJsonFeed',
  'storefront.getPost',
  'storefront.listPosts',
  // A site shows the picture of a creator, whose key the marketing partner gave it.
  'marketingMedia.getAvatar',
  // Forwarded unchanged. Pages use delivery.*, which do the same with every partner and link the sale.
  'fulfillmentShipments.create',
  'shipping.getOrigin',
  'shipping.listCouriers',
  'shipping.quote',
  'shipping.updateOrigin',
]

/** Routes that no page of the app calls yet. A page that comes to call one takes it off this list. */
export const ROUTES_WITHOUT_PAGE: readonly string[] = [
  'auth.beginOidc',
  'auth.finishOidc',
  'billing.listTiers',
  'floors.delete',
  'floors.update',
  'inventory.listComposites',
  'invoices.getHtml',
  'kitchen.advanceItem',
  'kitchen.getCounts',
  'kitchen.revertItem',
  'kitchen.serveTable',
  'licenses.create',
  'licenses.list',
  'licenses.validate',
  'live.stream',
  'paymentReceipts.getEscpos',
  'paymentReceipts.getHtml',
  'products.listModifierGroups',
  'products.setCategory',
  'reports.getShift',
  'reports.listHours',
  'reports.listPromotions',
  'reports.listTopProducts',
  'sales.getReceipt',
  'shifts.get',
  'tables.delete',
  'tables.list',
  'tables.update',
  'variants.create',
  'variants.delete',
  'variants.update',
  ...FOR_PROGRAMS,
]
