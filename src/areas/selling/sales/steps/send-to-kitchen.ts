import { type KitchenOrder, slipsOf } from '../../../../core/paper/kitchen-slips.ts'
import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { queueSlips } from '../../../dining/printers/index.ts'
import type { Sale } from '../sale/types.ts'

type SaleForKitchen = Omit<Sale, 'payments' | 'refunds'>

const orderOf = ({ around, ...sale }: SaleForKitchen): KitchenOrder => ({
  ...sale,
  tableLabel: around.table?.label ?? null,
})

/** The part of a new sale that a till has printed for the kitchen while it was offline (B-print-11); null if it printed none. */
export function printedBefore(
  sale: SaleForKitchen,
  sent: readonly { kitchenPrinted?: number }[],
): SaleForKitchen | null {
  const items = sale.items.flatMap((item, index) => {
    const quantity = sent[index]?.kitchenPrinted ?? 0
    return quantity === 0 ? [] : [{ ...item, quantity }]
  })
  return items.length === 0 ? null : { ...sale, items }
}

/**
 * Queues the slips of what changed for the kitchen, in the transaction of the sale (B-print-1). Sends no query if no
 * printer prints an item of the sale.
 */
export async function sendToKitchen(
  tx: Tx,
  scope: Scope,
  before: SaleForKitchen | null,
  after: SaleForKitchen,
) {
  const { stationPrinters: printers } = after.around
  if (Object.keys(printers).length === 0) return
  const slips = slipsOf(before && orderOf(before), orderOf(after), printers)
  await queueSlips(tx, scope, { saleId: after.id, outletId: after.outletId, slips, printers })
}
