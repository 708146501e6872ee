import { addDays } from '../core/time.ts'
import type { DemoClient } from './client.ts'
import type { DemoShop } from './furnish.ts'
import { EXPENSES } from './outlets.ts'
import type { Random } from './random.ts'

type Shift = { id: string; expectedCash: number }

export async function openShift({ cashier, id: outletId }: DemoShop) {
  await cashier.post('/shifts/open', { outletId, openingFloat: 300_000 })
}

/** On most evenings the cash matches; now and then a small note is missing or extra. */
export async function closeShift({ cashier, id: outletId }: DemoShop, random: Random) {
  const { shift } = await cashier.get<{ shift: Shift | null }>(`/shifts/current?outletId=${outletId}`)
  if (shift === null) return
  if (random.chance(0.3)) {
    const body = { type: 'PAID_OUT', amount: random.whole(2, 8) * 5_000, category: random.pick(EXPENSES) }
    const paidOut = Math.min(body.amount, shift.expectedCash)
    if (paidOut > 0) await cashier.post(`/shifts/${shift.id}/cash-movements`, { ...body, amount: paidOut })
  }
  const current = await cashier.get<{ shift: Shift }>(`/shifts/current?outletId=${outletId}`)
  const slip = random.chance(0.15) ? random.pick([-5_000, -2_000, 1_000, 2_000]) : 0
  const countedCash = Math.max(0, current.shift.expectedCash + slip)
  await cashier.post(`/shifts/${shift.id}/close`, { countedCash })
}

type Level = { variantId: string; quantity: number }
type Order = { id: string; items: { id: string; variantId: string; qty: number }[] }

/** Orders every item below half of its usual stock, up to the usual stock. */
export async function order(owner: DemoClient, { id: outletId, wares, supplierId }: DemoShop) {
  const { levels } = await owner.get<{ levels: Level[] }>(`/inventory/levels?outletId=${outletId}`)
  const items = levels.flatMap(({ variantId, quantity }) => {
    const ware = wares.find((known) => known.variantId === variantId)
    const usual = ware?.stock ?? 0
    return quantity < usual / 2 ? [{ variantId, qty: usual - quantity, cost: ware?.cost ?? 0 }] : []
  })
  if (items.length === 0) return
  const body = { outletId, supplierId, items }
  const { purchaseOrder } = await owner.post<{ purchaseOrder: Order }>('/purchase-orders', body)
  await owner.post(`/purchase-orders/${purchaseOrder.id}/order`)
}

/** Receives all orders; medicine with the batch number and expiry date on its box. */
export async function receive(owner: DemoClient, { id: outletId, wares }: DemoShop, day: string) {
  const path = `/purchase-orders?outletId=${outletId}&status=ORDERED`
  const { purchaseOrders } = await owner.get<{ purchaseOrders: Order[] }>(path)
  for (const { id } of purchaseOrders) {
    const { purchaseOrder } = await owner.get<{ purchaseOrder: Order }>(`/purchase-orders/${id}`)
    const items = purchaseOrder.items.map(({ id: itemId, variantId, qty }) => {
      const isBatched = wares.find((ware) => ware.variantId === variantId)?.requiresBatch ?? false
      return {
        itemId,
        qty,
        ...(isBatched ? { batchNo: `P${day.replaceAll('-', '')}`, expiryDate: addDays(day, 365) } : {}),
      }
    })
    await owner.post(`/purchase-orders/${id}/receive`, { items })
  }
}

/** Goods that are no longer fresh in the evening are thrown away. */
export async function throwAway(owner: DemoClient, { id: outletId, wares }: DemoShop, random: Random) {
  for (const { variantId, soldBy } of wares) {
    if (soldBy !== 'WEIGHT' || !random.chance(0.2)) continue
    const qtyDelta = -random.whole(5, 40) * 10
    await owner.post('/inventory/adjust', { outletId, variantId, qtyDelta, reasonCode: 'WASTE' })
  }
}

/** The customer who buys on credit pays the whole debt. */
export async function payDebt(owner: DemoClient, { cashier, id: outletId }: DemoShop, customerId: string) {
  const { balance } = await owner.get<{ balance: number }>(`/customers/${customerId}/credit`)
  if (balance === 0) return
  const body = { method: 'CASH', amount: balance, outletId }
  await cashier.post(`/customers/${customerId}/credit/payments`, body)
}
