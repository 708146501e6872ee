import { newId } from '../../src/core/ids.ts'
import { type Api, deps } from './api.ts'
import { insertSale, makeOutlet } from './make.ts'

/** Leaves a sale row that names the variant, as a till would. */
export async function sell(
  api: Api,
  variantId: string,
  status: 'PARKED' | 'COMPLETED' | 'VOIDED' = 'COMPLETED',
) {
  const sale = await insertSale(deps(), api, { outletId: await makeOutlet(api), status })
  await deps()
    .db.updateTable('saleItems')
    .set({ variantId })
    .where('accountId', '=', api.workspace.accountId)
    .where('saleId', '=', sale.id)
    .execute()
}

/** A level of the variant at a new outlet, with the movement that made it; quantity 0 leaves no movement. */
export async function stock(api: Api, variantId: string, quantity: number): Promise<string> {
  const { accountId } = api.workspace
  const outletId = await makeOutlet(api)
  const stamps = { createdAt: deps().clock.now(), updatedAt: deps().clock.now() }
  await deps()
    .db.insertInto('stockLevels')
    .values({
      accountId,
      outletId,
      variantId,
      id: newId('stockLevel'),
      quantity,
      reorderPoint: null,
      ...stamps,
    })
    .execute()
  if (quantity === 0) return outletId
  await deps()
    .db.insertInto('stockMovements')
    .values({
      accountId,
      id: newId('stockMovement'),
      outletId,
      variantId,
      type: 'ADJUSTMENT',
      qtyDelta: quantity,
      balanceAfter: quantity,
      batchId: null,
      transactionId: null,
      refundId: null,
      purchaseOrderId: null,
      transferId: null,
      unitCost: null,
      reason: null,
      actorId: 'test',
      ...stamps,
    })
    .execute()
  return outletId
}

/** A draft order that names the variant. */
export async function order(api: Api, variantId: string) {
  const { accountId } = api.workspace
  const id = newId('purchaseOrder')
  const stamps = { createdAt: deps().clock.now(), updatedAt: deps().clock.now() }
  await deps()
    .db.insertInto('purchaseOrders')
    .values({
      accountId,
      id,
      number: id,
      outletId: await makeOutlet(api),
      supplierId: null,
      total: 0,
      note: null,
      orderedAt: null,
      receivedAt: null,
      cancelledAt: null,
      ...stamps,
    })
    .execute()
  await deps()
    .db.insertInto('purchaseOrderItems')
    .values({
      accountId,
      purchaseOrderId: id,
      id: newId('purchaseOrderItem'),
      position: 0,
      variantId,
      qty: 1,
      cost: 0,
      ...stamps,
    })
    .execute()
}
