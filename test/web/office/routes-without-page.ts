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

/** Routes that pages call by their address, not by the client, and a piece of the code that does so. */
export const CALLED_BY_ADDRESS: Readonly<Record<string, string>> = {
  // A link of the sign-in page leads to the provider, which leads the browser back to the second route.
  'auth.beginOidc': '/api/v1/auth/oidc/start?',
  'auth.finishOidc': '/api/v1/auth/oidc/start?',
  'invoices.getHtml': 'invoices/${encodeURIComponent(id)}/html',
  'live.stream': 'live(connection,',
  'paymentReceipts.getHtml': 'receipts/${encodeURIComponent(id)}/html',
  'reports.getShift': '/api/v1/reports/shifts/${encodeURIComponent(id)}',
  'sales.getReceipt': '/receipt?format=html',
}

/** Routes that no page needs, because pages do the same with another route. */
export const SAME_BY_ANOTHER_ROUTE: Readonly<Record<string, string>> = {
  'billing.listTiers': 'the plan page reads the same plans with the subscription: billing.get',
  'kitchen.advanceItem': 'a tap sends the item as the one part of its ticket: kitchen.advanceTicket',
  'kitchen.getCounts': 'the boards count the tickets that they show: kitchen.listTickets',
  'kitchen.revertItem': 'undo sends back what the last tap moved: kitchen.revertTicket',
  'kitchen.serveTable': 'the serve board sends the dishes that it shows: kitchen.advanceTicket',
  'products.listModifierGroups': 'a product carries its groups: products.get',
  'reports.listTopProducts': 'the product report has every product with what was sold: reports.getMargin',
  'tables.list': 'floors carry their tables: floors.list',
  'variants.create': 'the form saves a product with its variants: products.update',
  'variants.delete': 'the form saves a product with its variants: products.update',
  'variants.update': 'the form saves a product with its variants: products.update',
}

/** Routes that no page of the app calls yet. A page that comes to call one takes it off this list. */
export const ROUTES_WITHOUT_PAGE: readonly string[] = [
  'products.setCategory',
  ...Object.keys(CALLED_BY_ADDRESS),
  ...Object.keys(SAME_BY_ANOTHER_ROUTE),
  ...FOR_PROGRAMS,
]
