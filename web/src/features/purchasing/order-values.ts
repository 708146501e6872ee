import type { PurchaseOrder } from 'kasir-client'
import type { GoodsRow } from '../../office/goods-rows.tsx'
import { nameOf } from '../../office/use-outlet-options.ts'

export type OrderRow = GoodsRow & { cost: number | null }
/** The fields that the editor of a draft changes. */
export type OrderValues = {
  outletId: string
  supplierId: string | null
  note: string | null
  items: readonly OrderRow[]
}

export const toOrderValues = ({ outletId, supplierId, note, items }: PurchaseOrder): OrderValues => ({
  outletId,
  supplierId,
  note,
  items: items.map(({ variantId, productName, variantName, soldBy, qty, cost }) => ({
    variantId,
    soldBy,
    name: nameOf(productName, variantName),
    qty,
    cost,
  })),
})

/** An empty cost means the cost of the goods. */
export const orderBody = ({ items, ...fields }: OrderValues) => ({
  ...fields,
  items: items.map(({ variantId, qty, cost }) => ({ variantId, qty, ...(cost !== null && { cost }) })),
})
