import type { SaleRow } from 'kasir-client'
import type { SalesKey } from '../../texts/sales/texts.ts'

/** The word for a sale that was voided or refunded. */
export function stateOf({ status, refundStatus }: Pick<SaleRow, 'status' | 'refundStatus'>): SalesKey | null {
  if (status === 'VOIDED') return 'sale.voided'
  if (refundStatus === 'FULL') return 'sale.refunded'
  return refundStatus === 'PARTIAL' ? 'sale.partRefunded' : null
}
