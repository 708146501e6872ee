import type { Answer, Api } from './api.ts'
import { makeOutlet } from './make.ts'

const done = (answer: Answer) => {
  if (answer.status >= 300) throw new Error(`refused: ${answer.text}`)
  return answer.data
}

/** Leaves a sale row that names the variant. */
export async function sell(
  api: Api,
  variantId: string,
  status: 'PARKED' | 'COMPLETED' | 'VOIDED' = 'COMPLETED',
) {
  const outletId = await makeOutlet(api)
  const { sale } = done(
    await api.post('/sales', {
      outletId,
      items: [{ variantId, quantity: 1 }],
      status: status === 'PARKED' ? 'PARKED' : 'COMPLETED',
    }),
  )
  if (status === 'VOIDED') done(await api.post(`/sales/${sale.id}/void`))
}

/** Counts the variant at a new outlet; 0 leaves a level that never moved. */
export async function stock(api: Api, variantId: string, quantity: number): Promise<string> {
  const outletId = await makeOutlet(api)
  if (quantity === 0) done(await api.put('/inventory/reorder', { outletId, variantId, reorderPoint: 0 }))
  else done(await api.post('/inventory/adjust', { outletId, variantId, qtyDelta: quantity }))
  return outletId
}

/** A draft order that names the variant. */
export const order = async (api: Api, variantId: string) =>
  done(
    await api.post('/purchase-orders', { outletId: await makeOutlet(api), items: [{ variantId, qty: 1 }] }),
  )
