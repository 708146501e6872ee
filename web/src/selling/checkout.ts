import { type Sale, salesCreate, salesSettle, salesUpdateItems, type Warning } from 'kasir-client'
import { withApproval } from '../app/approval.ts'
import { isUnsettled as isUnsettledRequest } from '../app/outcome.ts'
import { call } from '../app/service.ts'
import { newKey } from '../offline/key.ts'
import { SentenceError } from '../ui/sentence-error.ts'
import type { Cart } from './cart.ts'
import type { CartTotals } from './cart-totals.ts'
import type { CheckoutStep } from './sale-attempt.ts'
import { billBody, saleBody, settleBody } from './sale-body.ts'
import type { Tender } from './tender.ts'

type Checkout = { outletId: string; cart: Cart; totals: CartTotals; tenders: readonly Tender[] | null }

/** The requests that sell a cart, or hold it when `tenders` is null. An open bill is written before it is settled. */
export function stepsOf(checkout: Checkout): CheckoutStep[] {
  const { cart, tenders } = checkout
  const write = writeStep(checkout)
  if (cart.bill === null || tenders === null) return [write]
  return [write, { kind: 'settle', key: newKey(), saleId: cart.bill.id, body: settleBody(tenders) }]
}

const writeStep = ({ outletId, cart, totals, tenders }: Checkout) =>
  cart.bill === null
    ? { kind: 'create' as const, key: newKey(), body: saleBody(outletId, cart, totals, tenders) }
    : {
        kind: 'edit' as const,
        key: newKey(),
        saleId: cart.bill.id,
        version: cart.bill.version,
        body: billBody(cart, totals),
      }

/** The request that holds the cart as an open bill with these voucher codes. The service decides the discount. */
export function voucherStep(checkout: Omit<Checkout, 'tenders'>, voucherCodes: string[]): CheckoutStep {
  const step = writeStep({ ...checkout, tenders: null })
  return step.kind === 'create'
    ? { ...step, body: { ...step.body, voucherCodes } }
    : { ...step, body: { ...step.body, voucherCodes } }
}

export const send = async (step: CheckoutStep): Promise<Sale> => (await sendStep(step)).sale

/** Sends a step. The answer of a settlement has no warnings. */
export const sendStep = (step: CheckoutStep): Promise<StepAnswer> =>
  withApproval(step.kind === 'create' ? null : step.saleId, (approval) => sendOnce(step, approval))

type StepAnswer = { sale: Sale; warnings?: readonly Warning[] }

function sendOnce(step: CheckoutStep, approval: string | undefined): Promise<StepAnswer> {
  const options = { idempotencyKey: step.key, approval }
  if (step.kind === 'create') return call(salesCreate, step.body, options)
  if (step.kind === 'settle') return call(salesSettle, { id: step.saleId, ...step.body }, options)
  return call(salesUpdateItems, { id: step.saleId, ...step.body }, { ...options, ifMatch: step.version })
}

/** The service charges another amount for a bill than the register showed: nothing was paid yet. */
export class BillTotalChanged extends SentenceError {
  readonly sale: Sale
  constructor(sale: Sale) {
    super('pay.totalChanged')
    this.sale = sale
  }
}

/** Whether the outcome is unknown after an error, or the sale may be sent again unchanged. */
export const isUnsettled = (error: unknown): boolean =>
  !(error instanceof BillTotalChanged) && isUnsettledRequest(error)
