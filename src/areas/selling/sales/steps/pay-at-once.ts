import { ApiError, authRequired } from '../../../../core/errors.ts'
import { isSharded } from '../../../../platform/db/open.ts'
import { isForeignKeyViolation, isRetryable, isUniqueViolation } from '../../../../platform/db/pg-errors.ts'
import type { Deps } from '../../../../platform/deps.ts'
import {
  expiryOf,
  findReplay,
  type IdempotencyKey,
  type Reply,
  replayOf,
} from '../../../../platform/http/idempotency.ts'
import { type Scope, touchBoard } from '../../../../platform/scope.ts'
import { mayCountUses } from '../sale/facts.ts'
import type { Sale } from '../sale/types.ts'
import { saleView } from '../sale/view.ts'
import type { PaymentIn } from '../schema.ts'
import { type PaidBill, writePaidBill } from '../store/pay.ts'
import { type BillToPay, findToPay, keyHolds } from '../store/read.ts'
import { endingEvents } from './announce.ts'
import { booked } from './book-payments.ts'
import { completed } from './complete-sale.ts'
import { plainGoods } from './plain-goods.ts'

export type PaymentTools = { deps: Deps; idem: IdempotencyKey | null }

type PlainPayment = {
  id: string
  payments: readonly PaymentIn[]
  /** The bill with the payments on it, and whether they complete it. Throws what they are refused for. */
  decide(bill: Sale): { paid: Sale; completes: boolean }
}

/**
 * Pays an open bill in two round trips: one reads it, with the key of the caller and what the Idempotency-Key has answered,
 * the other proves that nothing has changed since and writes it. Null for a payment that needs further locks (cards, points, batches, recipes,
 * PENDING payments), one that would be refused, and if the bill has changed: nothing is written then,
 * and the bill is paid in a transaction.
 */
export async function payAtOnce(
  { deps, idem }: PaymentTools,
  scope: Scope,
  { id, payments, decide }: PlainPayment,
): Promise<Reply | null> {
  // On a sharded database no single statement can prove the facts that the payment was decided from.
  if (isSharded(deps.db)) return replayOnly({ deps, idem }, scope)
  const amount = payments.reduce((sum, payment) => sum + payment.amount, 0)
  const {
    keyHolds: holds,
    replay,
    bill,
  } = await findToPay(deps.db, scope, id, {
    key: idem?.key ?? null,
    since: expiryOf(scope),
    amount,
  })
  if (scope.actor.kind === 'apiKey' && !holds) throw authRequired()
  const replayed = idem && replay && (await replayOf(deps, scope, idem, replay))
  if (replayed) return replayed
  if (!bill || !payments.every(isPlain)) return null
  const paid = decided(scope, bill, decide)
  if (!paid) return null
  const data = await writePaidBill(deps.db, scope, { ...paid, idem }).catch((error: unknown) => {
    // A duplicate request, a deleted row or a deadlock: the transaction finds out.
    if (isUniqueViolation(error) || isForeignKeyViolation(error) || isRetryable(error)) return null
    throw error
  })
  if (data === null) return null
  if (paid.after.tableId !== null) {
    touchBoard(scope, 'floor', paid.after.outletId)
    deps.live.publish(scope.accountId, scope.boards)
  }
  return { status: 200, data, replayed: false }
}

async function replayOnly({ deps, idem }: PaymentTools, scope: Scope): Promise<Reply | null> {
  if (scope.actor.kind === 'apiKey' && !(await keyHolds(deps.db, scope))) throw authRequired()
  return idem && findReplay(deps, deps.db, scope, idem)
}

const isPlain = ({ method, status = 'PAID', providerRef }: PaymentIn) =>
  method !== 'GIFT_CARD' && method !== 'CREDIT' && status === 'PAID' && !providerRef

function decided(
  scope: Scope,
  bill: BillToPay,
  decide: PlainPayment['decide'],
): Omit<PaidBill, 'idem'> | null {
  try {
    return plainPayment(scope, bill, decide)
  } catch (error) {
    // The transaction decides under its locks whether to refuse.
    if (error instanceof ApiError) return null
    throw error
  }
}

function plainPayment(
  scope: Scope,
  { sale: before, seen, ownShiftId, isShiftOpen, shop }: BillToPay,
  decide: PlainPayment['decide'],
): Omit<PaidBill, 'idem'> | null {
  const { paid, completes } = decide(before)
  const goods = completes ? goodsOf(paid, shop) : null
  if (completes && !goods) return null
  const shiftId = isShiftOpen ? before.shiftId : null
  // A bill that outlives its shift moves to another.
  if (completes && before.shiftId !== shiftId) return null
  const done = goods ? completed(scope, paid, goods.items) : paid
  const booking = ownShiftId ?? shiftId
  const open = new Set([ownShiftId, shiftId].filter((id) => id !== null))
  const paidBefore = before.payments.filter(({ status }) => status === 'PAID').map(({ id }) => id)
  const after = booked(done, new Set(paidBefore), { booking, open })
  const view = saleView(after)
  return {
    before,
    after,
    seen,
    ownShiftId,
    guards: [...new Set([booking, completes ? shiftId : null])].filter((id) => id !== null),
    events: endingEvents(scope, { before, after }, view),
    saleJson: JSON.stringify(view),
    goods,
  }
}

/**
 * The stock that the bill takes. Null if that needs locks first, or if points, a code or a PENDING payment end with
 * it.
 */
function goodsOf(paid: Sale, shop: BillToPay['shop']) {
  const isAlone = paid.customerId === null && paid.promoDiscount === 0 && !mayCountUses(paid)
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
