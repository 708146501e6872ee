export type Role = 'CASHIER' | 'MANAGER' | 'OWNER'

/**
 * The routes that each area of the back office calls, with the least role that the service asks for.
 * test/web/office/routes.test.ts compares them with the calls in the code and with the route table.
 */
export const AREA_ROUTES = {
  home: {
    'reports.getSummary': 'MANAGER',
    'reports.listLowStock': 'MANAGER',
    'shifts.list': 'CASHIER',
    'inventory.listExpiring': 'CASHIER',
    'webhooks.listDeliveries': 'MANAGER',
    'outlets.list': 'CASHIER',
    'products.list': 'CASHIER',
    'inventory.listLevels': 'CASHIER',
    'members.list': 'OWNER',
  },
  products: {
    'products.list': 'CASHIER',
    'products.get': 'CASHIER',
    'products.create': 'MANAGER',
    'products.update': 'MANAGER',
    'products.delete': 'MANAGER',
    'products.setModifierGroups': 'MANAGER',
    'categories.list': 'CASHIER',
    'categories.create': 'MANAGER',
    'categories.update': 'MANAGER',
    'categories.reorder': 'MANAGER',
    'categories.delete': 'MANAGER',
    'modifierGroups.list': 'CASHIER',
    'modifierGroups.get': 'CASHIER',
    'modifierGroups.create': 'MANAGER',
    'modifierGroups.update': 'MANAGER',
    'modifierGroups.delete': 'MANAGER',
    'modifiers.create': 'MANAGER',
    'modifiers.update': 'MANAGER',
    'modifiers.delete': 'MANAGER',
    'recipes.get': 'CASHIER',
    'recipes.replace': 'MANAGER',
    'priceLists.list': 'CASHIER',
    'priceLists.get': 'CASHIER',
    'priceLists.create': 'MANAGER',
    'priceLists.update': 'MANAGER',
    'priceLists.delete': 'MANAGER',
  },
  promotions: {
    'promotions.list': 'MANAGER',
    'promotions.get': 'MANAGER',
    'promotions.create': 'MANAGER',
    'promotions.update': 'MANAGER',
    'promotions.delete': 'MANAGER',
  },
  reports: {
    'reports.getSummary': 'MANAGER',
    'reports.listCashiers': 'MANAGER',
    'reports.listCategories': 'MANAGER',
    'reports.listSalesByDay': 'MANAGER',
    'reports.getMargin': 'MANAGER',
    'reports.listExpenses': 'MANAGER',
    'reports.getStockValue': 'MANAGER',
    'reports.listReceivables': 'MANAGER',
  },
  settings: {
    'outlets.list': 'CASHIER',
    'outlets.get': 'CASHIER',
    'outlets.create': 'MANAGER',
    'outlets.update': 'MANAGER',
    'outlets.delete': 'MANAGER',
    'settings.get': 'CASHIER',
    'settings.update': 'MANAGER',
    'printers.list': 'CASHIER',
    'printers.get': 'CASHIER',
    'printers.create': 'MANAGER',
    'printers.update': 'MANAGER',
    'printers.delete': 'MANAGER',
    'printers.printTest': 'CASHIER',
    'printers.openDrawer': 'CASHIER',
    'printers.listDrawerKicks': 'CASHIER',
    'printJobs.list': 'CASHIER',
    'printJobs.reprint': 'CASHIER',
    'tills.list': 'MANAGER',
    'members.list': 'OWNER',
    'modules.list': 'CASHIER',
    'modules.toggle': 'MANAGER',
    'billing.get': 'OWNER',
    'billing.checkout': 'OWNER',
    'billing.cancel': 'OWNER',
    'apiKeys.list': 'OWNER',
    'webhooks.list': 'MANAGER',
  },
  people: {
    'members.list': 'OWNER',
    'members.create': 'OWNER',
    'members.update': 'OWNER',
    'members.remove': 'OWNER',
    'members.resetSecondFactor': 'OWNER',
    'tills.list': 'MANAGER',
    'tills.revoke': 'MANAGER',
    'apiKeys.list': 'OWNER',
    'apiKeys.create': 'OWNER',
    'apiKeys.revoke': 'OWNER',
  },
  stock: {
    'inventory.listLevels': 'CASHIER',
    'inventory.listMovements': 'CASHIER',
    'inventory.listBatches': 'CASHIER',
    'inventory.adjust': 'MANAGER',
    'inventory.setReorderPoint': 'MANAGER',
    'inventory.transfer': 'MANAGER',
    'inventory.createBatch': 'MANAGER',
    'categories.list': 'CASHIER',
    'stockCounts.list': 'CASHIER',
    'stockCounts.get': 'CASHIER',
    'stockCounts.create': 'CASHIER',
    'stockCounts.count': 'CASHIER',
    'stockCounts.post': 'MANAGER',
    'stockCounts.cancel': 'CASHIER',
  },
  customers: {
    'customers.list': 'CASHIER',
    'customers.get': 'CASHIER',
    'customers.create': 'CASHIER',
    'customers.update': 'CASHIER',
    'customers.delete': 'CASHIER',
    'loyalty.get': 'CASHIER',
    'loyalty.adjust': 'CASHIER',
    'loyalty.redeem': 'CASHIER',
    'customerCredit.get': 'CASHIER',
    'customerCredit.pay': 'CASHIER',
    'giftCards.list': 'CASHIER',
    'sales.list': 'CASHIER',
    'customerGroups.list': 'CASHIER',
    'customerGroups.get': 'CASHIER',
    'customerGroups.create': 'MANAGER',
    'customerGroups.update': 'MANAGER',
    'customerGroups.delete': 'MANAGER',
    'customerGroups.assign': 'MANAGER',
  },
  'gift-cards': {
    'giftCards.list': 'CASHIER',
    'giftCards.get': 'CASHIER',
    'giftCards.issue': 'MANAGER',
    'giftCards.void': 'MANAGER',
    'customers.list': 'CASHIER',
  },
  purchasing: {
    'purchaseOrders.list': 'CASHIER',
    'purchaseOrders.get': 'CASHIER',
    'purchaseOrders.create': 'MANAGER',
    'purchaseOrders.update': 'MANAGER',
    'purchaseOrders.order': 'MANAGER',
    'purchaseOrders.receive': 'MANAGER',
    'purchaseOrders.cancel': 'MANAGER',
    'suppliers.list': 'CASHIER',
    'suppliers.get': 'CASHIER',
    'suppliers.create': 'MANAGER',
    'suppliers.update': 'MANAGER',
    'suppliers.delete': 'MANAGER',
    'reports.listLowStock': 'MANAGER',
  },
  delivery: {
    'delivery.list': 'CASHIER',
    'delivery.get': 'CASHIER',
    'delivery.create': 'CASHIER',
    'delivery.dispatch': 'CASHIER',
    'delivery.quote': 'CASHIER',
    'delivery.confirmPickup': 'CASHIER',
    'delivery.cancel': 'CASHIER',
    'delivery.listCouriers': 'CASHIER',
    'delivery.getOrigin': 'CASHIER',
    'delivery.updateOrigin': 'MANAGER',
    'fulfillmentShipments.list': 'CASHIER',
    'fulfillmentShipments.get': 'CASHIER',
    'fulfillmentShipments.getLabel': 'CASHIER',
    'fulfillmentShipments.confirmPickup': 'MANAGER',
    'fulfillmentShipments.cancel': 'MANAGER',
    'shippingCredits.get': 'CASHIER',
    'shippingCredits.listTransactions': 'CASHIER',
    'shippingCredits.topUp': 'MANAGER',
    'warehouses.list': 'CASHIER',
    'warehouses.get': 'CASHIER',
    'warehouses.create': 'MANAGER',
    'warehouses.update': 'MANAGER',
    'warehouses.delete': 'MANAGER',
    'fulfillmentStock.listProducts': 'CASHIER',
    'fulfillmentStock.listLevels': 'CASHIER',
    'fulfillmentStock.listMovements': 'CASHIER',
    'fulfillmentStock.adjust': 'MANAGER',
    'sales.list': 'CASHIER',
    'sales.get': 'CASHIER',
  },
  marketing: {
    'blog.list': 'CASHIER',
    'blog.get': 'CASHIER',
    'blog.create': 'MANAGER',
    'blog.update': 'MANAGER',
    'blog.publish': 'MANAGER',
    'blog.unpublish': 'MANAGER',
    'blog.delete': 'MANAGER',
    'feeds.get': 'CASHIER',
    'feeds.update': 'MANAGER',
    'feeds.preview': 'CASHIER',
    'settings.get': 'CASHIER',
    'pixels.get': 'CASHIER',
    'pixels.update': 'MANAGER',
    'referrals.get': 'CASHIER',
    'referrals.replace': 'MANAGER',
    'referrals.listLinks': 'CASHIER',
    'referrals.listAttributions': 'CASHIER',
    'referrals.stats': 'CASHIER',
    'customers.list': 'CASHIER',
    'abandonedCart.get': 'CASHIER',
    'abandonedCart.update': 'MANAGER',
    'abandonedCart.listReminders': 'CASHIER',
    'abandonedCart.stats': 'CASHIER',
  },
  developer: {
    'webhooks.list': 'MANAGER',
    'webhooks.create': 'MANAGER',
    'webhooks.update': 'MANAGER',
    'webhooks.delete': 'MANAGER',
    'webhooks.listDeliveries': 'MANAGER',
    'webhooks.getDelivery': 'MANAGER',
    'webhooks.retryDelivery': 'MANAGER',
    'webhooks.listEventTypes': 'MANAGER',
    'events.list': 'MANAGER',
  },
} as const satisfies Record<string, Record<string, Role>>

type Areas = typeof AREA_ROUTES
export type Area = keyof Areas
export type RouteName = { [A in Area]: keyof Areas[A] }[Area]

const RANKS: Readonly<Record<Role, number>> = { CASHIER: 0, MANAGER: 1, OWNER: 2 }

const LEAST: Readonly<Record<string, Role>> = Object.assign({}, ...Object.values(AREA_ROUTES))

/** Whether the service allows a route to members of a role. */
export const isAllowed = (role: Role, route: RouteName): boolean =>
  RANKS[role] >= RANKS[LEAST[route] ?? 'OWNER']

export type PagePath =
  | '/beranda'
  | '/produk'
  | '/promo'
  | '/laporan'
  | '/pengaturan'
  | '/orang'
  | '/stok'
  | '/pelanggan'
  | '/kartu-hadiah'
  | '/pembelian'
  | '/pengiriman'
  | '/pemasaran'
  | '/pengembang'

/** The pages in the order of the menu. A page is shown to members who may call every route in `opens`. */
export const OFFICE_PAGES: readonly { path: PagePath; area: Area; opens: readonly RouteName[] }[] = [
  { path: '/beranda', area: 'home', opens: ['reports.getSummary'] },
  { path: '/produk', area: 'products', opens: ['products.list', 'products.create'] },
  { path: '/promo', area: 'promotions', opens: ['promotions.list', 'promotions.create'] },
  { path: '/laporan', area: 'reports', opens: ['reports.getSummary'] },
  { path: '/pengaturan', area: 'settings', opens: ['outlets.create'] },
  { path: '/orang', area: 'people', opens: ['tills.list'] },
  { path: '/stok', area: 'stock', opens: ['inventory.listLevels'] },
  { path: '/pelanggan', area: 'customers', opens: ['customers.list'] },
  { path: '/kartu-hadiah', area: 'gift-cards', opens: ['giftCards.list'] },
  { path: '/pembelian', area: 'purchasing', opens: ['purchaseOrders.list'] },
  { path: '/pengiriman', area: 'delivery', opens: ['delivery.list'] },
  { path: '/pemasaran', area: 'marketing', opens: ['blog.list', 'blog.create'] },
  { path: '/pengembang', area: 'developer', opens: ['webhooks.list'] },
]

export const pagesFor = (role: Role) =>
  OFFICE_PAGES.filter(({ opens }) => opens.every((route) => isAllowed(role, route)))
