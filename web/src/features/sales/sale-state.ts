import type { SaleRow } from 'kasir-client'
import type { TextKey } from '../../texts/texts.ts'

/** The word for a sale that was voided or refunded. */
export function stateOf({ status, refundStatus }: Pick<SaleRow, 'status' | 'refundStatus'>): TextKey | null {
  if (status === 'VOIDED') return 'sale.voided'
  if (refundStatus === 'FULL') return 'sale.refunded'
  return refundStatus === 'PARTIAL' ? 'sale.partRefunded' : null
}
