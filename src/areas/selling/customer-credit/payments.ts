import { invalid, notFound } from '../../../core/errors.ts'
import { sum } from '../../../core/money.ts'
import { needsApproval, spendApproval } from '../../../platform/auth/approvals.ts'
import type { Tx } from '../../../platform/db/open.ts'
import { emit } from '../../../platform/events/outbox.ts'
import type { Scope } from '../../../platform/scope.ts'
import { getCustomer, lowerCredit, raiseCredit } from '../customers/index.ts'
import { creditChanged } from './events.ts'
import { type ChargeShare, type OpenCharge } from './rules.ts'
import type { CreditEntry } from './schema.ts'
import * as statements from './statements.ts'

type Charge = {
  customerId: string | null
  amount: number
  dueDate: string | null
  saleId: string
  paymentId: string
  outletId: string
  /** The sale that the path of the request names; null for a new sale. */
  subjectId: string | null
  /** The path of a field of the payment in the body. */
  paramOf: (field: string) => string
}

/**
 * Raises the balance of the customer of a CREDIT payment, by one conditional update that compares the limit (B-credit-2). Throws
 * 422 above the limit, unless a cashier may ask a manager for an approval instead. The returned function writes the entry and
 * returns who approved it. It throws 403 without an approval: call it once nothing else refuses the sale (B-approval-2).
 */
export async function chargeCredit(
  tx: Tx,
  scope: Scope,
  charge: Charge,
): Promise<() => Promise<string | null>> {
  const { customerId, amount, paramOf, subjectId, ...facts } = charge
  if (customerId === null) {
    throw invalid(paramOf('method'), 'Credit needs a customer: choose the customer, or pay another way')
  }
  const move = { customerId, amount }
  let balance = await raiseCredit(tx, scope, { ...move, isOverLimitAllowed: false })
  const isOverLimit = balance === undefined
  if (isOverLimit) {
    const customer = await getCustomer(tx, scope, customerId)
    if (!customer.isActive) {
      throw invalid(paramOf('method'), "This customer's data was erased: choose another way to pay")
    }
    if (!needsApproval(scope, 'creditOverLimit')) throw overLimit(customer, paramOf('amount'))
    balance = await raiseCredit(tx, scope, { ...move, isOverLimitAllowed: true })
  }
  if (balance === undefined) throw notFound('customer', 'customerId')
  const entry = { ...facts, customerId, type: 'CHARGE', amount, open: amount, balanceAfter: balance } as const
  return async () => {
    const approvedBy = isOverLimit ? await spendApproval(tx, scope, 'creditOverLimit', subjectId) : null
    await announce(tx, scope, await statements.insertEntry(tx, scope, { ...entry, approvedBy }))
    return approvedBy
  }
}

function overLimit(
  { creditLimit, creditBalance }: { creditLimit: number; creditBalance: number },
  param: string,
) {
  const left = Math.max(0, creditLimit - creditBalance)
  return invalid(
    param,
    `The customer owes ${creditBalance} of at most ${creditLimit}. Put at most ${left} on credit, or raise the limit`,
  )
}

/** The charges of a sale that are not fully paid, locked: a reversal takes them back before money is paid out. */
export const lockCreditOfSale = (tx: Tx, scope: Scope, saleId: string): Promise<OpenCharge[]> =>
  statements.lockOfSale(tx, scope, saleId)

/** Takes credit back by a refund, void or discard (B-credit-5). The charges are those that `lockCreditOfSale` returned. */
export async function reverseCredit(
  tx: Tx,
  scope: Scope,
  charges: readonly ChargeShare[],
  back: { saleId: string; refundId: string; outletId: string },
): Promise<void> {
  const [first] = charges
  if (!first) return
  const { customerId } = first
  const amount = sum(charges.map(({ taken }) => taken))
  await statements.take(tx, scope, charges)
  const balanceAfter = await lowerCredit(tx, scope, { customerId, amount })
  if (balanceAfter === undefined) throw notFound('customer')
  const entry = { ...back, customerId, type: 'REVERSAL', amount: -amount, open: 0, balanceAfter } as const
  await announce(tx, scope, await statements.insertEntry(tx, scope, entry))
}

export const announce = (tx: Tx, scope: Scope, entry: CreditEntry) =>
  emit(tx, scope, creditChanged, entry.customerId, { customerId: entry.customerId, entry })
