import type { SaleCreate } from 'kasir-client'
import { type OutboxRow, soldAtOf } from '../offline/outbox-row.ts'
import { type GivenPromotion, promotedGoods } from './bill-promotions.ts'
import type { Cart } from './cart.ts'

/** The promotions that were printed for the goods of a sale. */
export type PrintedPromotions = {
  goods: string
  promotions: readonly GivenPromotion[]
  shares: readonly number[]
  parts: readonly (readonly GivenPromotion[])[]
}

/** A sale of the outbox that the service refused, while the cashier changes it: what was printed stays. */
export type Correction = {
  ref: string
  soldAt: string
  seller: { id: string; name: string }
  outletId: string
  terms: NonNullable<SaleCreate['offline']>['terms']
  promotions: PrintedPromotions
}

/** Equal for two carts with the same goods, also if their customers differ. */
export const correctedGoods = (cart: Cart): string => promotedGoods({ ...cart, customer: null })

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
