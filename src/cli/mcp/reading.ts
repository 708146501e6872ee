import { Type } from 'typebox'
import { addDays, dayOf, isDay } from '../../core/time.ts'
import { UsageError } from '../command.ts'
import { maskedMail, maskedPhone, pick, type RowSource, rowsOf, sourceFrom } from './answer.ts'
import { Cursor, fields, Outlet, outletOf, type Tool, type ToolContext, tool } from './tool.ts'

type PageAnswer<T> = { data: T; meta: { cursor?: string | null } }

/** Turns a list operation of the service into a source of rows. */
const source =
  <T>(
    page: (more: { limit: number; cursor?: string }) => Promise<PageAnswer<T>>,
    rows: (data: T) => readonly object[],
    ...kept: string[]
  ): RowSource =>
  async (cursor, limit) => {
    const { data, meta } = await page({ limit, ...(cursor === undefined ? {} : { cursor }) })
    return { rows: rows(data).map((row) => pick(row, ...kept)), next: meta.cursor ?? null }
  }

const at = async (shop: ToolContext, said: string | undefined) => {
  const outlet = await outletOf(shop, said)
  return outlet ? { outletId: outlet.id } : {}
}

const LEVEL = [
  'outletId',
  'productId',
  'variantId',
  'productName',
  'variantName',
  'sku',
  'soldBy',
  'quantity',
  'reorderPoint',
  'isLow',
]

const findGoods = tool({
  name: 'find_goods',
  title: 'Find goods',
  description:
    'The goods the shop sells, with prices in rupiah. Search by barcode, or by text in names and codes (the 20 best matches). Without either, lists the whole catalogue.',
  isWriting: false,
  input: fields({
    text: Type.Optional(Type.String({ maxLength: 120 })),
    barcode: Type.Optional(Type.String({ maxLength: 64 })),
    cursor: Cursor,
  }),
  run: async ({ kasir }, { text, barcode, cursor }) => {
    if (text === undefined && barcode === undefined) {
      const whole: RowSource = async (from, limit) => {
        const { data, meta } = await kasir.products.list.withMeta({
          limit,
          ...(from === undefined ? {} : { cursor: from }),
        })
        const rows = data.products.map((product) => ({
          ...pick(product, 'id', 'name', 'categoryName', 'kind', 'isActive'),
          variants: product.variants
            .slice(0, 20)
            .map((one) => pick(one, 'id', 'name', 'sku', 'barcode', 'price')),
          variantCount: product.variants.length,
        }))
        return { rows, next: meta.cursor ?? null }
      }
      return rowsOf([whole], cursor)
    }
    const { matches } = await kasir.products.lookup(barcode === undefined ? { q: text ?? '' } : { barcode })
    const rows = matches.map((match) =>
      pick(
        match,
        'productId',
        'productName',
        'variantId',
        'variantName',
        'sku',
        'barcode',
        'price',
        'isComposite',
      ),
    )
    return rowsOf([sourceFrom(rows)], cursor)
  },
})

const stock = tool({
  name: 'stock',
  title: 'Stock',
  description: 'Stock levels of all counted goods, by name.',
  isWriting: false,
  input: fields({ outlet: Outlet, cursor: Cursor }),
  run: async (shop, { outlet, cursor }) => {
    const place = await at(shop, outlet)
    const levels = source(
      (more) => shop.kasir.inventory.listLevels.withMeta({ ...place, ...more }),
      (data) => data.levels,
      ...LEVEL,
    )
    return rowsOf([levels], cursor)
  },
})

const lowAndExpiring = tool({
  name: 'low_and_expiring',
  title: 'Low and expiring stock',
  description:
    'Goods to order or to sell first: goods at or below their reorder point, then batches that expire within `days`, expired ones first.',
  isWriting: false,
  input: fields({
    outlet: Outlet,
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, description: '30 when left out' })),
    cursor: Cursor,
  }),
  run: async (shop, { outlet, days = 30, cursor }) => {
    const place = await at(shop, outlet)
    const { kasir } = shop
    const low = source(
      (more) => kasir.reports.listLowStock.withMeta({ ...place, ...more }),
      (data) => data.levels.map((level) => ({ ...level, why: 'low' })),
      'why',
      ...LEVEL,
    )
    const expiring = source(
      (more) => kasir.inventory.listExpiring.withMeta({ ...place, days, ...more }),
      (data) => data.batches.map((batch) => ({ ...batch, why: 'expiring' })),
      'why',
      'outletId',
      'productId',
      'variantId',
      'productName',
      'variantName',
      'sku',
      'batchNo',
      'expiryDate',
      'quantity',
    )
    return rowsOf([low, expiring], cursor)
  },
})

const SALE = [
  'id',
  'number',
  'outletId',
  'status',
  'orderType',
  'itemCount',
  'subtotal',
  'discountTotal',
  'taxTotal',
  'serviceCharge',
  'deliveryFee',
  'total',
  'paidTotal',
  'remaining',
  'refundedTotal',
  'refundStatus',
  'note',
  'tableId',
  'cashierId',
  'createdAt',
  'completedAt',
  'voidedAt',
  'voidReason',
]
const Moment = Type.Optional(
  Type.String({ maxLength: 40, description: 'A day (2026-11-22) or an instant with its offset' }),
)

const sales = tool({
  name: 'sales',
  title: 'Sales',
  description:
    'Sales and open bills, newest first. `from` and `to` (exclusive) filter by completion time. Amounts are in rupiah.',
  isWriting: false,
  input: fields({
    outlet: Outlet,
    status: Type.Optional(
      Type.Union([Type.Literal('PARKED'), Type.Literal('COMPLETED'), Type.Literal('VOIDED')]),
    ),
    from: Moment,
    to: Moment,
    cursor: Cursor,
  }),
  run: async (shop, { outlet, status, from, to, cursor }) => {
    const wanted = {
      ...(await at(shop, outlet)),
      ...(status === undefined ? {} : { status }),
      ...(from === undefined ? {} : { completedFrom: from }),
      ...(to === undefined ? {} : { completedTo: to }),
    }
    const list = source(
      (more) => shop.kasir.sales.list.withMeta({ ...wanted, ...more }),
      (rows) => rows,
      ...SALE,
    )
    return rowsOf([list], cursor)
  },
})

const sale = tool({
  name: 'sale',
  title: 'One sale',
  description: 'One sale by its id, with its items and payments. The delivery recipient is left out.',
  isWriting: false,
  input: fields({ id: Type.String({ maxLength: 64 }), cursor: Cursor }),
  run: async ({ kasir }, { id, cursor }) => {
    const { sale: found } = await kasir.sales.get({ id })
    const lines = found.items.map((item) =>
      pick(
        item,
        'productId',
        'variantId',
        'productName',
        'variantName',
        'sku',
        'quantity',
        'unitPrice',
        'discount',
        'taxAmount',
        'lineTotal',
        'note',
        'refundedQty',
        'isActive',
      ),
    )
    const payments = found.payments
      .slice(0, 20)
      .map((one) => pick(one, 'method', 'amount', 'status', 'paidAt'))
    const customer = found.customer ? pick(found.customer, 'id', 'name') : null
    const head = { sale: { ...pick(found, ...SALE), customer, payments } }
    return { ...head, ...(await rowsOf([sourceFrom(lines)], cursor, head)) }
  },
})

const SHIFT = [
  'id',
  'outletId',
  'cashierName',
  'status',
  'openingFloat',
  'expectedCash',
  'countedCash',
  'difference',
  'notes',
  'openedAt',
  'closedAt',
]

const shift = tool({
  name: 'shift',
  title: 'Shifts',
  description: 'The shifts, newest first, or one shift by its id with its sales and cash.',
  isWriting: false,
  input: fields({
    id: Type.Optional(Type.String({ maxLength: 64 })),
    outlet: Outlet,
    status: Type.Optional(Type.Union([Type.Literal('OPEN'), Type.Literal('CLOSED')])),
    cursor: Cursor,
  }),
  run: async (shop, { id, outlet, status, cursor }) => {
    if (id !== undefined) {
      const { shift: found } = await shop.kasir.shifts.get({ id })
      return { shift: { ...pick(found, ...SHIFT), summary: found.summary } }
    }
    const wanted = { ...(await at(shop, outlet)), ...(status === undefined ? {} : { status }) }
    const list = source(
      (more) => shop.kasir.shifts.list.withMeta({ ...wanted, ...more }),
      (rows) => rows,
      ...SHIFT,
    )
    return rowsOf([list], cursor)
  },
})

const customers = tool({
  name: 'customers',
  title: 'Customers',
  description:
    'All customers, or those that match a text, with points and visits. Phone numbers and e-mail addresses are masked.',
  isWriting: false,
  input: fields({ text: Type.Optional(Type.String({ maxLength: 120 })), cursor: Cursor }),
  run: async ({ kasir }, { text, cursor }) => {
    const list = source(
      (more) => kasir.customers.list.withMeta({ ...(text === undefined ? {} : { q: text }), ...more }),
      (data) =>
        data.customers.map((one) => ({
          ...one,
          phone: maskedPhone(one.phone),
          email: maskedMail(one.email),
        })),
      'id',
      'name',
      'phone',
      'email',
      'pointsBalance',
      'totalSpent',
      'visitCount',
      'lastVisitAt',
      'isActive',
    )
    return rowsOf([list], cursor)
  },
})

const dayReport = tool({
  name: 'day_report',
  title: 'Report of a day',
  description:
    'The figures of one day (default: today): sales, refunds, tax, payments by method, and the ten best sellers. Covers one outlet, or all outlets, each in its own time zone.',
  isWriting: false,
  input: fields({
    day: Type.Optional(Type.String({ maxLength: 10, description: 'Such as 2026-11-22' })),
    outlet: Outlet,
  }),
  run: async (shop, { day: said, outlet }) => {
    const { kasir, clock } = shop
    const place = await outletOf(shop, outlet)
    const zone = place?.timezone ?? (await kasir.outlets.list()).outlets[0]?.timezone
    const day = said ?? dayOf(clock.now(), zone ?? 'Asia/Jakarta')
    if (!isDay(day)) throw new UsageError('day must be a day such as 2026-11-22')
    const span = { from: day, to: addDays(day, 1), ...(place ? { outletId: place.id } : {}) }
    const summary = await kasir.reports.getSummary(span)
    const { products } = await kasir.reports.listTopProducts({ ...span, limit: 10 })
    return {
      day,
      outlet: place ? pick(place, 'id', 'name') : null,
      summary: pick(
        summary,
        'salesCount',
        'refundCount',
        'voidCount',
        'gross',
        'discounts',
        'refunds',
        'tax',
        'taxes',
        'net',
        'service',
        'rounding',
        'deliveryFees',
        'collected',
        'avgTicket',
        'byMethod',
      ),
      bestSellers: products.map((one) => pick(one, 'productId', 'name', 'quantity', 'grams', 'revenue')),
    }
  },
})

export const READING: readonly Tool[] = [
  findGoods,
  stock,
  lowAndExpiring,
  sales,
  sale,
  shift,
  customers,
  dayReport,
]
