import { newId } from '../../src/core/ids.ts'
import type { Deps } from '../../src/platform/deps.ts'
import type { Api } from './api.ts'

type KitchenStatus = 'NEW' | 'PREPARING' | 'READY' | 'SERVED'

export const makeOutlet = async (api: Api, fields: Record<string, unknown> = {}): Promise<string> =>
  (await api.post('/outlets', { name: 'Kemang', ...fields })).data.outlet.id

export const makeTable = async (
  api: Api,
  outletId: string,
  label: string,
  fields: Record<string, unknown> = {},
): Promise<{ id: string; floorId: string; label: string }> =>
  (await api.post('/tables', { outletId, label, ...fields })).data.table

export type LineRow = {
  name?: string
  quantity?: number
  status?: KitchenStatus
  station?: string | null
  note?: string | null
  isActive?: boolean
  cancelledQty?: number
}
export type SaleRow = {
  outletId: string
  tableId?: string | null
  orderType?: 'DINE_IN' | 'TAKEAWAY' | 'DELIVERY' | null
  status?: 'PARKED' | 'COMPLETED' | 'VOIDED'
  note?: string | null
  total?: number
  paidTotal?: number
  lines?: LineRow[]
  createdAt?: string
}
export type MadeSale = { id: string; number: string; itemIds: string[] }

/** A sale written directly, as the sales area leaves it in the books: for tests of what only reads or cooks it. */
export async function insertSale(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { workspace: { accountId } }: Pick<Api, 'workspace'>,
  sale: SaleRow,
): Promise<MadeSale> {
  const lines = sale.lines ?? [{}]
  const { outletId, orderType = 'DINE_IN', status = 'PARKED', total = 10_000 } = sale
  const createdAt = sale.createdAt ?? clock.now()
  const stamps = { createdAt, updatedAt: createdAt }
  const paidTotal = status === 'COMPLETED' ? total : (sale.paidTotal ?? 0)
  const id = newId('sale')
  const number = `261121-${id.slice(-4)}`
  const money = { discountTotal: 0, orderDiscount: 0, taxTotal: 0, deliveryFee: 0, changeTotal: 0 }
  const active = lines.filter((line) => line.isActive !== false)
  await db
    .insertInto('sales')
    .values({
      accountId,
      id,
      number,
      outletId,
      tableId: sale.tableId ?? null,
      orderType,
      status,
      note: sale.note ?? null,
      itemCount: active.length,
      subtotal: total,
      total,
      paidTotal,
      ...money,
      taxRateBps: 0,
      taxInclusive: false,
      deliveryDraft: null,
      kitchenOpen:
        orderType !== null && status !== 'VOIDED' && active.some((line) => line.status !== 'SERVED'),
      cashierId: 'usr_00000000000000000000000000',
      completedAt: status === 'COMPLETED' ? createdAt : null,
      ...stamps,
    })
    .execute()
  const variant = await insertVariant({ db, clock }, accountId)
  const itemIds = lines.map(() => newId('saleItem'))
  await db
    .insertInto('saleItems')
    .values(
      lines.map((line, position) => ({
        accountId,
        saleId: id,
        id: itemIds[position] ?? '',
        position,
        ...variant,
        productName: line.name ?? 'Kopi Susu',
        variantName: 'Default',
        sku: null,
        quantity: line.isActive === false ? 0 : (line.quantity ?? 1),
        unitPrice: 10_000,
        modifiers: JSON.stringify([]),
        discount: 0,
        orderDiscountShare: 0,
        taxAmount: 0,
        lineTotal: 10_000,
        note: line.note ?? null,
        station: line.station ?? null,
        kitchenStatus: line.status ?? ('NEW' as const),
        isActive: line.isActive ?? true,
        cancelledQty: line.cancelledQty ?? 0,
        components: null,
        batches: null,
        ...stamps,
      })),
    )
    .execute()
  return { id, number, itemIds }
}

/** A product with one variant, written directly: what a line must refer to. */
export async function insertVariant(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  accountId: string,
): Promise<{ variantId: string; productId: string }> {
  const stamps = { createdAt: clock.now(), updatedAt: clock.now() }
  const productId = newId('product')
  const variantId = newId('variant')
  await db
    .insertInto('products')
    .values({ accountId, id: productId, name: 'Kopi Susu', ...stamps })
    .execute()
  await db
    .insertInto('variants')
    .values({ accountId, id: variantId, productId, price: 10_000, ...stamps })
    .execute()
  return { variantId, productId }
}

/** A product with one variant; `variants[0]` is it. */
export const makeProduct = async (api: Api, fields: Record<string, unknown> = {}) => {
  const answer = await api.post('/products', { name: 'Product', variants: [{ price: 10_000 }], ...fields })
  if (answer.status !== 201) throw new Error(`no product was made: ${answer.text}`)
  return answer.data.product
}
