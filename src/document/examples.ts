/**
 * An example body for every route that takes one. The service accepts each body once its ids are those of the
 * reader's workspace: test/table/examples.test.ts sends each of them.
 */
const HOME = {
  contactName: 'Dewi',
  contactPhone: '0812-555-0177',
  address: 'Jl. Melati 5, Bandung',
  note: 'Pagar hijau',
  postalCode: '40115',
}
const PARCEL = [{ name: 'Kopi bubuk 500 g', quantity: 2, weight: 500, value: 60000 }]
const OUTLET = 'out_01KB2Z8Q5T7V9X1C3E5G7J9M1P'
const OTHER_OUTLET = 'out_01KB2Z8Q5T7V9X1C3E5G7J9M2Q'
const CATEGORY = 'cat_01KB2Z8Q5T7V9X1C3E5G7J9M1P'
const PRODUCT = 'prd_01KB2Z8Q5T7V9X1C3E5G7J9M1P'
const VARIANT = 'var_01KB2Z8Q5T7V9X1C3E5G7J9M1P'
const COMPONENT = 'var_01KB2Z8Q5T7V9X1C3E5G7J9M2Q'
const GROUP = 'mdg_01KB2Z8Q5T7V9X1C3E5G7J9M1P'
const MODIFIER = 'mod_01KB2Z8Q5T7V9X1C3E5G7J9M1P'
const SALE = 'txn_01KB2Z8Q5T7V9X1C3E5G7J9M1P'
const LINE = 'tli_01KB2Z8Q5T7V9X1C3E5G7J9M1P'
const CUSTOMER = 'cus_01KB2Z8Q5T7V9X1C3E5G7J9M1P'
const SUPPLIER = 'sup_01KB2Z8Q5T7V9X1C3E5G7J9M1P'
const ORDER_LINE = 'poi_01KB2Z8Q5T7V9X1C3E5G7J9M1P'
const FLOOR = 'flr_01KB2Z8Q5T7V9X1C3E5G7J9M1P'
const TABLE = 'tbl_01KB2Z8Q5T7V9X1C3E5G7J9M1P'
const SHIFT = 'shf_01KB2Z8Q5T7V9X1C3E5G7J9M1P'
const PRICE = 'prc_01KB2Z8Q5T7V9X1C3E5G7J9M1P'
const WAREHOUSE = 'whs_01KB2Z8Q5T7V9X1C3E5G7J9M1P'

export const EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'auth.signup': {
    email: 'ibu.sari@example.com',
    password: 'kopi susu gula aren',
    name: 'Ibu Sari',
    businessName: 'Warung Sari',
  },
  'auth.login': { email: 'ibu.sari@example.com', password: 'kopi susu gula aren' },
  'auth.acceptInvitation': {
    token: '01KB2Z8Q5T7V9X1C3E5G7J9M1P.u3bQ9xv0mW2rT7yK5nLp8sD1fG4hJ6aZcVbNqEwRtYo',
    password: 'teh manis tanpa es',
  },
  'auth.forgotPassword': { email: 'ibu.sari@example.com' },
  'auth.resetPassword': {
    token: '01KB2Z8Q5T7V9X1C3E5G7J9M1P.u3bQ9xv0mW2rT7yK5nLp8sD1fG4hJ6aZcVbNqEwRtYo',
    password: 'es teh manis dua gelas',
  },
  'auth.verifyEmail': { token: '01KB2Z8Q5T7V9X1C3E5G7J9M1P.u3bQ9xv0mW2rT7yK5nLp8sD1fG4hJ6aZcVbNqEwRtYo' },
  'auth.changePassword': {
    currentPassword: 'kopi susu gula aren',
    password: 'es teh manis dua gelas',
  },
  'auth.finishLogin': {
    challenge: '01KB2Z8Q5T7V9X1C3E5G7J9M1P.1793106000.u3bQ9xv0mW2rT7yK5nLp8sD1fG4hJ6aZcVbNqEwRtYo',
    code: '492039',
  },
  'auth.setUpSecondFactor': { currentPassword: 'kopi susu gula aren' },
  'auth.confirmSecondFactor': { code: '492039' },
  'auth.renewRecoveryCodes': { currentPassword: 'kopi susu gula aren', code: '492039' },
  'auth.switchOffSecondFactor': { currentPassword: 'kopi susu gula aren', code: '492039' },
  'members.create': { email: 'budi@example.com', name: 'Budi', role: 'CASHIER' },
  'members.update': { role: 'MANAGER' },
  'members.remove': { revokeKeys: true },
  'inbound.fulfillment': {
    type: 'shipment.status_changed',
    timestamp: '2026-03-01T09:00:00.000Z',
    data: {
      workspaceExternalId: 'acc_01KB2Z8Q5T7V9X1C3E5G7J9M1P',
      shipment: {
        id: 'shp_01KB2Z8Q5T7V9X1C3E5G7J9M1P',
        status: 'picked',
        price: 11000,
        waybillId: 'JNE0011223344',
        history: [{ status: 'picked', note: null, at: '2026-03-01T09:00:00.000Z' }],
        updatedAt: '2026-03-01T09:00:00.000Z',
      },
    },
  },
  'inbound.payment': {
    type: 'checkout_session.completed',
    timestamp: '2026-03-01T02:00:00Z',
    data: {
      workspaceExternalId: null,
      session: {
        id: 'cks_01KB2Z8Q5T7V9X1C3E5G7J9M1P',
        status: 'completed',
        amount: 99_000,
        currency: 'IDR',
        metadata: { accountId: 'acc_01KB2Z8Q5T7V9X1C3E5G7J9M1P', tier: 'starter' },
        paidAt: '2026-03-01T02:00:00Z',
      },
    },
  },
  'payments.charge': { transactionId: SALE, method: 'qris' },
  'delivery.updateOrigin': {
    contactName: 'Warung Sari',
    contactPhone: '0812-555-0142',
    address: 'Jl. Kemang Raya 12, Jakarta',
    postalCode: '12730',
  },
  'delivery.quote': { destination: HOME, items: PARCEL },
  'delivery.create': {
    transactionId: SALE,
    destination: HOME,
    courierCode: 'jne',
    courierServiceCode: 'reg',
    items: PARCEL,
  },
  'billing.checkout': { tier: 'starter', currency: 'IDR' },
  'modules.toggle': { module: 'marketing', enabled: true },
  'webhooks.create': { url: 'https://shop.example/hooks/kasir', events: ['service.sale.completed.v1'] },
  'webhooks.update': { active: true, events: [] },
  'abandonedCart.update': {
    enabled: true,
    delayHours: 24,
    emailSubject: 'Pesanan Anda masih menunggu',
    emailPreview: 'Kopi susu Anda kami simpan sampai besok',
  },
  'blog.create': {
    title: 'Kopi Gayo sudah datang',
    body: 'Panen baru dari Takengon, mulai besok di semua cabang.',
    excerpt: 'Panen baru dari Takengon',
    tags: ['kopi', 'baru'],
  },
  'blog.update': { coverImage: 'https://warung-sari.example/gayo.jpg', status: 'published' },
  'feeds.update': {
    enabled: true,
    productUrl: 'https://warung-sari.example/menu/{variantId}',
    defaultFeedProductCategory: 'Food, Beverages & Tobacco > Beverages > Coffee',
  },
  'referrals.replace': {
    enabled: true,
    rewardType: 'percent',
    referrerValue: 10,
    refereeValue: 5,
    currency: 'IDR',
    minPurchaseAmount: 50_000,
    landingUrl: 'https://warung-sari.example/?teman={code}',
  },
  'pixels.update': {
    enabled: true,
    analyticsId: 'G-8Q5T7V9X1C',
    socialPixelId: '1234567890',
    socialCapiAccessToken: 'EAAJk2c9wW3t7yK5nLp8sD1fG4hJ6aZ',
  },
  'tills.create': { outletId: OUTLET, name: 'Front counter' },
  'auth.loginWithPin': { memberId: 'usr_01KB2Z8Q5T7V9X1C3E5G7J9M1P', pin: '482913' },
  'auth.changePin': { pin: '482913', currentPassword: 'kopi susu gula aren' },
  'approvals.create': {
    memberId: 'usr_01KB2Z8Q5T7V9X1C3E5G7J9M1P',
    pin: '482913',
    action: 'void',
    subjectId: SALE,
  },
  'apiKeys.create': { name: 'Till 1', readOnly: false },
  'outlets.create': {
    name: 'Warung Sari',
    address: 'Jl. Braga 12, Bandung',
    timezone: 'Asia/Jakarta',
    taxRateBps: 1100,
    taxInclusive: false,
    serviceChargeBps: 500,
    cashRounding: { step: 100, mode: 'NEAREST' },
  },
  'outlets.update': { phone: '022-555-0199', receiptFooter: 'Buka setiap hari' },
  'categories.create': { name: 'Kopi', sortOrder: 1, station: 'bar' },
  'categories.update': { name: 'Kopi dan teh' },
  'categories.reorder': { ids: [CATEGORY] },
  'products.create': {
    name: 'Kopi susu',
    categoryId: CATEGORY,
    taxRateBps: 1000,
    variants: [
      { name: 'Panas', price: 18000, sku: 'KS-P' },
      { name: 'Dingin', price: 20000, sku: 'KS-D' },
    ],
  },
  'products.setCategory': { productIds: [PRODUCT], categoryId: CATEGORY },
  'products.update': { name: 'Kopi susu gula aren', variants: [{ id: VARIANT, price: 19000 }] },
  'variants.create': { name: 'Besar', price: 24000, sku: 'KS-B' },
  'variants.update': { price: 21000, barcode: '8991234567890' },
  'recipes.replace': {
    isComposite: true,
    components: [{ componentVariantId: COMPONENT, quantity: 2 }],
  },
  'products.setModifierGroups': { groupIds: [GROUP] },
  'modifierGroups.create': { name: 'Gula', minSelect: 0, maxSelect: 1 },
  'modifierGroups.update': { maxSelect: 2 },
  'modifiers.create': { name: 'Gula sedikit', price: 0 },
  'modifiers.update': { price: 2000 },
  'sales.create': {
    outletId: OUTLET,
    shiftId: SHIFT,
    customerId: CUSTOMER,
    items: [
      {
        variantId: VARIANT,
        quantity: 2,
        note: 'Tanpa es',
        modifiers: [{ name: 'Susu oat', price: 500, modifierId: MODIFIER }],
      },
    ],
    payments: [{ method: 'CASH', amount: 11000, tendered: 20000 }],
  },
  'sales.updateItems': {
    items: [{ id: LINE, variantId: VARIANT, quantity: 3 }],
    note: 'Meja dekat jendela',
  },
  'sales.addPayment': { method: 'QRIS', amount: 5000 },
  'sales.correctPayment': { method: 'CARD', reference: 'APPR 771204' },
  'sales.settle': { payments: [{ method: 'CASH', amount: 10000, tendered: 50000 }] },
  'sales.void': { reason: 'Salah input' },
  'sales.discard': { reason: 'Tamu pergi' },
  'sales.refund': {
    lines: [{ transactionItemId: LINE, qty: 1 }],
    restock: true,
    reason: 'Pelanggan menukar',
  },
  'sales.split': { items: [{ id: LINE, quantity: 1 }] },
  'sales.merge': { saleId: SALE },
  'tables.create': { outletId: OUTLET, floorId: FLOOR, label: 'A1', seats: 4, posX: 40, posY: 80 },
  'tables.setLayout': { outletId: OUTLET, floorId: FLOOR, tables: [{ id: TABLE, posX: 120, posY: 80 }] },
  'tables.update': { label: 'Jendela 1', seats: 2 },
  'floors.create': { outletId: OUTLET, name: 'Teras', sortOrder: 1 },
  'floors.update': { name: 'Lantai dua' },
  'inventory.adjust': { outletId: OUTLET, variantId: VARIANT, qtyDelta: 10, reason: 'Hitung ulang' },
  'inventory.setReorderPoint': { outletId: OUTLET, variantId: VARIANT, reorderPoint: 5 },
  'inventory.transfer': {
    fromOutletId: OUTLET,
    toOutletId: OTHER_OUTLET,
    variantId: VARIANT,
    qty: 2,
  },
  'inventory.createBatch': {
    outletId: OUTLET,
    variantId: VARIANT,
    batchNo: 'PCT-2027-03',
    expiryDate: '2030-03-31',
    qty: 50,
    cost: 4500,
  },
  'suppliers.create': { name: 'Toko Grosir Maju', contact: 'Pak Hadi', phone: '0812-555-0142' },
  'suppliers.update': { note: 'Kirim hari Selasa' },
  'purchaseOrders.create': {
    outletId: OUTLET,
    supplierId: SUPPLIER,
    items: [{ variantId: VARIANT, qty: 24, cost: 9000 }],
    note: 'Untuk akhir pekan',
  },
  'purchaseOrders.update': { items: [{ variantId: VARIANT, qty: 30, cost: 8800 }] },
  'purchaseOrders.receive': { items: [{ itemId: ORDER_LINE, qty: 2 }] },
  'customers.create': { name: 'Dewi', phone: '0812-555-0177' },
  'customers.update': { note: 'Alergi kacang' },
  'customerGroups.create': { name: 'Member' },
  'customerGroups.update': { name: 'Member setia' },
  'customerGroups.assign': { spentAtLeast: 500000, visitedSince: '2026-01-01T00:00:00Z' },
  'priceLists.create': {
    name: 'Happy hour',
    weekdays: [1, 2, 3, 4, 5],
    from: '15:00',
    to: '17:00',
    entries: [{ categoryId: CATEGORY, adjustBps: -2000, roundTo: 500 }],
  },
  'priceLists.update': { isActive: false },
  'promotions.create': {
    name: 'Hemat 10 ribu',
    kind: 'AMOUNT',
    amount: 10000,
    minSpend: 50000,
    code: 'HEMAT10',
    usageLimit: 100,
  },
  'promotions.update': { isActive: false },
  'loyalty.adjust': { points: 25, reason: 'Ulang tahun' },
  'loyalty.redeem': { points: 10 },
  'giftCards.issue': { amount: 100000, customerId: CUSTOMER, note: 'Hadiah' },
  'shifts.open': { outletId: OUTLET, openingFloat: 300000 },
  'shifts.close': { countedCash: 1250000, notes: 'Selisih uang kecil' },
  'shifts.moveCash': { type: 'PAID_IN', amount: 50000, reason: 'Tambahan uang kembalian' },
  'uploads.sign': { contentType: 'image/png', ext: 'png' },
  'settings.update': { businessName: 'Warung Sari', loyaltyRupiahPerPoint: 10000 },
  // Proxied bodies are defined by the partner; these suit the reference partners.
  'checkoutSessions.create': {
    amount: 150000,
    currency: 'IDR',
    method: 'qris',
    description: 'Uang muka pesanan 12',
    metadata: { order: '12' },
  },
  'checkoutSessions.confirm': {},
  'paymentPlans.create': {
    name: 'Langganan kopi',
    prices: [{ amount: 250000, currency: 'IDR', interval: 'month' }],
  },
  'paymentPlans.update': { name: 'Langganan kopi bulanan' },
  'paymentPlans.delete': {},
  'paymentPlans.addPrice': { amount: 2500000, currency: 'IDR', interval: 'year' },
  'paymentPlans.updatePrice': { active: true },
  'paymentCustomers.create': { name: 'Dewi', email: 'dewi@example.com', phone: '08125550177' },
  'paymentCustomers.update': { phone: '08125550188' },
  'paymentSubscriptions.create': { customerId: CUSTOMER, priceId: PRICE },
  'paymentSubscriptions.update': { cancelAtPeriodEnd: true },
  'paymentSubscriptions.cancel': { atPeriodEnd: false },
  'paymentReceipts.email': { email: 'dewi@example.com' },
  'payouts.setBankAccount': { bankName: 'BCA', accountNumber: '123 456 7890', accountHolder: 'Ibu Sari' },
  'payouts.create': { amount: 100000, currency: 'IDR' },
  'payouts.update': { status: 'canceled' },
  'shipping.updateOrigin': {
    contactName: 'Ibu Sari',
    contactPhone: '0812-555-0100',
    address: 'Jl. Kemang Raya 1, Jakarta',
    postalCode: '12730',
  },
  'shipping.quote': { destination: { postalCode: '40115' }, items: PARCEL, insurance: true },
  'fulfillmentShipments.create': {
    reference: 'Pesanan 12',
    destination: HOME,
    courierCode: 'jne',
    courierServiceCode: 'reg',
    items: PARCEL,
  },
  'fulfillmentShipments.confirmPickup': {},
  'fulfillmentShipments.cancel': {},
  'shippingCredits.topUp': { amount: 500000 },
  'warehouses.create': { name: 'Gudang Cikini', address: 'Jl. Cikini Raya 21, Jakarta', postalCode: '10330' },
  'warehouses.update': { name: 'Gudang Cikini 2' },
  'warehouses.delete': {},
  'fulfillmentStock.adjust': {
    warehouseId: WAREHOUSE,
    sku: 'KB-500',
    name: 'Kopi bubuk 500 g',
    qtyDelta: 24,
    reason: 'Kiriman pemasok',
  },
  'licenses.create': { product: 'Kursus barista', expiresAt: '2031-03-01T00:00:00Z' },
  'licenses.validate': { key: 'KASIR-7Q2M-9XWD-4TZK-8HBN', product: 'Kursus barista' },
}
