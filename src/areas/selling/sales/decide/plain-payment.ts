import { ApiError } from '../../../../core/errors.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { mayCountUses } from '../sale/facts.ts'
import type { Sale } from '../sale/types.ts'
import type { PaymentIn } from '../schema.ts'
import type { SaleChange } from '../store/change.ts'
import type { BillToPay } from '../store/read.ts'
import { booked, completed, decidePayments, paidIds } from './payment.ts'
import { plainGoods } from './plain-goods.ts'

export type PlainPayment = {
  payments: readonly PaymentIn[]
  /** The bill with the payments on it, and whether they complete it. Throws what they are refused for. */
  decide(bill: Sale): { paid: Sale; completes: boolean }
}

/**
 * A payment for one statement that proves what was read. Null if it needs further locks (cards, a customer, batches,
 * recipes, PENDING payments) or would be refused: the transaction decides under its locks whether to refuse.
 */
export function decidePlainPayment(
  scope: Scope,
  bill: BillToPay,
  { payments, decide }: PlainPayment,
  idempotency: SaleChange['idempotency'],
): SaleChange | null {
  if (!payments.every(isPlain)) return null
  try {
    const change = plainPayment(scope, bill, decide(bill.sale))
    return change && { ...change, idempotency }
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

const isPlain = ({ method, status = 'PAID', providerRef }: PaymentIn) =>
  method !== 'GIFT_CARD' && method !== 'CREDIT' && status === 'PAID' && !providerRef

function plainPayment(
  scope: Scope,
  { sale: before, seen, ownShiftId, isShiftOpen, shop }: BillToPay,
  { paid, completes }: ReturnType<PlainPayment['decide']>,
): SaleChange | null {
  if (paid.customerId !== null) return null
  const goods = completes ? goodsOf(paid, shop) : null
  if (completes && !goods) return null
  const shiftId = isShiftOpen ? before.shiftId : null
  // A bill that outlives its shift moves to another.
  if (completes && before.shiftId !== shiftId) return null
  const done = goods ? completed(scope, paid, goods.items) : paid
  const booking = ownShiftId ?? shiftId
  const open = new Set([ownShiftId, shiftId].filter((id) => id !== null))
  const after = booked(done, { booking, open }, paidIds(before))
  const { change, sale } = decidePayments(scope, { before, after })
  return {
    ...change,
    movements: goods?.moves ?? [],
    guards: [...new Set([booking, completes ? shiftId : null])].filter((id) => id !== null),
    seen: {
      goods: goods?.goods ?? [],
      sale: seen,
      outlet: null,
      policy: goods?.policySeen ?? null,
      shiftId: ownShiftId,
      isFollowed: true,
    },
    reply: { sale: JSON.stringify(sale), stockWarnings: null, warnings: '[]' },
  }
}

/**
 * The stock that the bill takes. Null if that needs locks first, or if a code or a PENDING payment ends with it.
 */
function goodsOf(paid: Sale, shop: BillToPay['shop']) {
  const isAlone = paid.promoDiscount === 0 && !mayCountUses(paid)
  if (!shop || !isAlone || shop.negativeStock === 'BLOCK') return null
  if (paid.payments.some(({ status }) => status === 'PENDING')) return null
  const sellables = new Map(
    shop.sellables.map((sellable) => [sellable.variantId, { ...sellable, components: null }]),
  )
  const plain = plainGoods(
    paid.items.filter((item) => item.isActive),
    sellables,
  )
  return plain && { ...plain, policySeen: shop.policySeen }
}
