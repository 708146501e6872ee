import { isKasirError, type Sale, salesCreate, salesSettle, salesUpdateItems } from 'kasir-client'
import { withApproval } from '../app/approval.ts'
import { call } from '../app/service.ts'
import { newKey } from '../offline/key.ts'
import { SentenceError } from '../ui/sentence-error.ts'
import type { Cart } from './cart.ts'
import type { CartTotals } from './cart-totals.ts'
import { billBody, saleBody, settleBody } from './sale-body.ts'
import type { Tender } from './tender.ts'

/** One request of a checkout. It is sent under the same key until its outcome is known. */
export type CheckoutStep =
  | { kind: 'create'; key: string; body: ReturnType<typeof saleBody> }
  | { kind: 'edit'; key: string; saleId: string; version: number; body: ReturnType<typeof billBody> }
  | { kind: 'settle'; key: string; saleId: string; body: ReturnType<typeof settleBody> }

type Checkout = { outletId: string; cart: Cart; totals: CartTotals; tenders: readonly Tender[] | null }

/** The requests that sell a cart, or hold it when `tenders` is null. An open bill is written before it is settled. */
export function stepsOf({ outletId, cart, totals, tenders }: Checkout): CheckoutStep[] {
  if (cart.bill === null)
    return [{ kind: 'create', key: newKey(), body: saleBody(outletId, cart, totals, tenders) }]
  const { id, version } = cart.bill
  const edit: CheckoutStep = {
    kind: 'edit',
    key: newKey(),
    saleId: id,
    version,
    body: billBody(cart, totals),
  }
  if (tenders === null) return [edit]
  return [edit, { kind: 'settle', key: newKey(), saleId: id, body: settleBody(tenders) }]
}

export const send = (step: CheckoutStep): Promise<Sale> =>
  withApproval(step.kind === 'create' ? null : step.saleId, (approval) => sendOnce(step, approval))

async function sendOnce(step: CheckoutStep, approval: string | undefined): Promise<Sale> {
  const options = { idempotencyKey: step.key, approval }
  if (step.kind === 'create') return (await call(salesCreate, step.body, options)).sale
  if (step.kind === 'settle')
    return (await call(salesSettle, { id: step.saleId, ...step.body }, options)).sale
  const edited = await call(
    salesUpdateItems,
    { id: step.saleId, ...step.body },
    { ...options, ifMatch: step.version },
  )
  return edited.sale
}

/** The service charges another amount for a bill than the register showed: nothing was paid yet. */
export class BillTotalChanged extends SentenceError {
  readonly sale: Sale
  constructor(sale: Sale) {
    super('pay.totalChanged')
    this.sale = sale
  }
}

/** Whether an error leaves open if the sale happened, or says that it may be sent again as it is. */
export function isUnsettled(error: unknown): boolean {
  if (error instanceof BillTotalChanged) return false
  if (!isKasirError(error)) return true
  return (
    error.status >= 500 ||
    error.status === 408 ||
    error.code === 'RATE_LIMITED' ||
    error.code === 'AUTH_REQUIRED' ||
    error.code === 'IDEMPOTENCY_KEY_IN_USE'
  )
}
