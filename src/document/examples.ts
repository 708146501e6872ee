/**
 * A body for every route that takes one, which the service accepts where the ids are those of the reader's workspace:
 * test/table/examples.test.ts sends each of them.
 */
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

export const EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /auth/signup': {
    email: 'ibu.sari@example.com',
    password: 'kopi susu gula aren',
    name: 'Ibu Sari',
    businessName: 'Warung Sari',
  },
  'POST /auth/login': { email: 'ibu.sari@example.com', password: 'kopi susu gula aren' },
  'POST /auth/invitations/accept': {
    token: '01KB2Z8Q5T7V9X1C3E5G7J9M1P.u3bQ9xv0mW2rT7yK5nLp8sD1fG4hJ6aZcVbNqEwRtYo',
    password: 'teh manis tanpa es',
  },
  'POST /members': { email: 'budi@example.com', name: 'Budi', role: 'CASHIER' },
  'PATCH /members/{id}': { role: 'MANAGER' },
  'DELETE /members/{id}': { revokeKeys: true },
  'POST /api-keys': { name: 'Till 1', readOnly: false },
  'POST /outlets': {
    name: 'Warung Sari',
    address: 'Jl. Braga 12, Bandung',
    timezone: 'Asia/Jakarta',
    taxRateBps: 1100,
    taxInclusive: false,
  },
  'PATCH /outlets/{id}': { phone: '022-555-0199', receiptFooter: 'Buka setiap hari' },
  'POST /categories': { name: 'Kopi', sortOrder: 1, station: 'bar' },
  'PATCH /categories/{id}': { name: 'Kopi dan teh' },
  'POST /categories/reorder': { ids: [CATEGORY] },
  'POST /products': {
    name: 'Kopi susu',
    categoryId: CATEGORY,
    variants: [
      { name: 'Panas', price: 18000, sku: 'KS-P' },
      { name: 'Dingin', price: 20000, sku: 'KS-D' },
    ],
  },
  'POST /products/bulk-category': { productIds: [PRODUCT], categoryId: CATEGORY },
  'PATCH /products/{id}': { name: 'Kopi susu gula aren', variants: [{ id: VARIANT, price: 19000 }] },
  'POST /products/{id}/variants': { name: 'Besar', price: 24000, sku: 'KS-B' },
  'PATCH /products/{id}/variants/{vid}': { price: 21000, barcode: '8991234567890' },
  'PUT /products/{id}/variants/{vid}/recipe': {
    isComposite: true,
    components: [{ componentVariantId: COMPONENT, quantity: 2 }],
  },
  'PUT /modifiers/product/{productId}': { groupIds: [GROUP] },
  'POST /modifiers': { name: 'Gula', minSelect: 0, maxSelect: 1 },
  'PATCH /modifiers/{id}': { maxSelect: 2 },
  'POST /modifiers/{id}/items': { name: 'Gula sedikit', price: 0 },
  'PATCH /modifiers/{id}/items/{modId}': { price: 2000 },
  'POST /sales': {
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
  'PATCH /sales/{id}/items': {
    items: [{ id: LINE, variantId: VARIANT, quantity: 3 }],
    note: 'Meja dekat jendela',
  },
  'POST /sales/{id}/payments': { method: 'QRIS', amount: 5000 },
  'POST /sales/{id}/settle': { payments: [{ method: 'CASH', amount: 10000, tendered: 50000 }] },
  'POST /sales/{id}/void': { reason: 'Salah input' },
  'POST /sales/{id}/discard': { reason: 'Tamu pergi' },
  'POST /sales/{id}/refund': {
    lines: [{ transactionItemId: LINE, qty: 1 }],
    restock: true,
    reason: 'Pelanggan menukar',
  },
  'POST /sales/{id}/split': { items: [{ id: LINE, quantity: 1 }] },
  'POST /sales/{id}/merge': { saleId: SALE },
  'POST /tables': { outletId: OUTLET, floorId: FLOOR, label: 'A1', seats: 4, posX: 40, posY: 80 },
  'PUT /tables/layout': { outletId: OUTLET, floorId: FLOOR, tables: [{ id: TABLE, posX: 120, posY: 80 }] },
  'PATCH /tables/{id}': { label: 'Jendela 1', seats: 2 },
  'POST /floors': { outletId: OUTLET, name: 'Teras', sortOrder: 1 },
  'PATCH /floors/{id}': { name: 'Lantai dua' },
  'POST /inventory/adjust': { outletId: OUTLET, variantId: VARIANT, qtyDelta: 10, reason: 'Hitung ulang' },
  'PUT /inventory/reorder': { outletId: OUTLET, variantId: VARIANT, reorderPoint: 5 },
  'POST /inventory/transfer': {
    fromOutletId: OUTLET,
    toOutletId: OTHER_OUTLET,
    variantId: VARIANT,
    qty: 2,
  },
  'POST /inventory/batches': {
    outletId: OUTLET,
    variantId: VARIANT,
    batchNo: 'PCT-2027-03',
    expiryDate: '2030-03-31',
    qty: 50,
    cost: 4500,
  },
  'POST /suppliers': { name: 'Toko Grosir Maju', contact: 'Pak Hadi', phone: '0812-555-0142' },
  'PATCH /suppliers/{id}': { note: 'Kirim hari Selasa' },
  'POST /purchase-orders': {
    outletId: OUTLET,
    supplierId: SUPPLIER,
    items: [{ variantId: VARIANT, qty: 24, cost: 9000 }],
    note: 'Untuk akhir pekan',
  },
  'PATCH /purchase-orders/{id}': { items: [{ variantId: VARIANT, qty: 30, cost: 8800 }] },
  'POST /purchase-orders/{id}/receive': { items: [{ itemId: ORDER_LINE, qty: 2 }] },
  'POST /customers': { name: 'Dewi', phone: '0812-555-0177' },
  'PATCH /customers/{id}': { note: 'Alergi kacang' },
  'POST /customers/{id}/loyalty/adjust': { points: 25, reason: 'Ulang tahun' },
  'POST /customers/{id}/loyalty/redeem': { points: 10 },
  'POST /gift-cards': { amount: 100000, customerId: CUSTOMER, note: 'Hadiah' },
  'POST /shifts/open': { outletId: OUTLET, openingFloat: 300000 },
  'POST /shifts/{id}/close': { countedCash: 1250000, notes: 'Selisih uang kecil' },
  'POST /shifts/{id}/cash-movements': { type: 'PAID_IN', amount: 50000, reason: 'Tambahan uang kembalian' },
  'PUT /settings': { businessName: 'Warung Sari', loyaltyRupiahPerPoint: 10000 },
}
