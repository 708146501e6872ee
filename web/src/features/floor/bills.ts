import { type Sale, salesGet, salesMerge, salesUpdateItems } from 'kasir-client'
import { queries } from '../../app/queries.ts'
import { call } from '../../app/service.ts'
import { newKey } from '../../offline/key.ts'

export const readBill = async (id: string): Promise<Sale> => (await call(salesGet, { id })).sale

const readAgain = (outletId: string) =>
  Promise.all(
    ['floor', 'serve', 'kds', 'bills'].map((board) =>
      queries.invalidateQueries({ queryKey: [board, outletId] }),
    ),
  )

/** Moves a bill to another table with all of its items. An edit by another device meanwhile is refused by the service. */
export async function moveBill(id: string, tableId: string): Promise<Sale> {
  const bill = await readBill(id)
  const items = bill.items.filter(({ isActive }) => isActive).map((item) => ({ id: item.id }))
  const { sale } = await call(
    salesUpdateItems,
    { id, tableId, items },
    { ifMatch: bill.version, idempotencyKey: newKey() },
  )
  await readAgain(sale.outletId)
  return sale
}

/** Moves the items of a bill onto another one. */
export async function mergeBill(id: string, intoId: string): Promise<Sale> {
  const { sale } = await call(salesMerge, { id: intoId, saleId: id }, { idempotencyKey: newKey() })
  await readAgain(sale.outletId)
  return sale
}
