import type { SaleCreate } from 'kasir-client'
import { type OutboxRow, soldAtOf } from '../offline/outbox-row.ts'
import { correctedGoods, type PrintedPromotions } from './bill-promotions.ts'

/** A sale of the outbox that the service refused, while the cashier changes it: what was printed stays. */
export type Correction = {
  ref: string
  soldAt: string
  seller: { id: string; name: string }
  outletId: string
  terms: NonNullable<SaleCreate['offline']>['terms']
  promotions: PrintedPromotions
}

export function correctionOf(row: OutboxRow): Correction {
  const { ref, seller, body, cart, receipt } = row
  const parts = body.items.map(({ promotions = [] }) => promotions)
  return {
    ref,
    soldAt: soldAtOf(row),
    seller,
    outletId: body.outletId,
    terms: body.offline?.terms ?? {},
    promotions: {
      goods: correctedGoods(cart),
      promotions: receipt.promotions ?? [],
      shares: parts.map((line) => line.reduce((sum, { amount }) => sum + amount, 0)),
      parts,
    },
  }
}
