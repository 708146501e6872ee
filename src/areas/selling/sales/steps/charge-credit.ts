import type { Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { chargeCredit, lockCreditOfSale, type OpenCharge } from '../../customer-credit/index.ts'
import type { Payment, Sale } from '../sale/types.ts'

/**
 * Charges the new CREDIT payments of a sale to its customer; `paidBefore` are the payments that were booked earlier. The returned
 * function writes the entries, and notes on the sale who approved them: call it once nothing else refuses the sale.
 */
export async function chargeCredits(
  tx: Tx,
  scope: Scope,
  sale: Sale,
  {
    paidBefore,
    subjectId,
    paramOf,
  }: {
    paidBefore: ReadonlySet<string>
    subjectId: string | null
    paramOf: (index: number, field: string) => string
  },
): Promise<(sale: Sale) => Promise<Sale>> {
  const writes: (() => Promise<string | null>)[] = []
  for (const [index, payment] of sale.payments.entries()) {
    if (!isCharged(payment) || paidBefore.has(payment.id)) continue
    writes.push(
      await chargeCredit(tx, scope, {
        customerId: sale.customerId,
        amount: payment.amount,
        dueDate: payment.dueDate,
        saleId: sale.id,
        paymentId: payment.id,
        outletId: sale.outletId,
        subjectId,
        paramOf: (field) => paramOf(index, field),
      }),
    )
  }
  return async (sold) => {
    let { approvedBy } = sold
    for (const write of writes) approvedBy = (await write()) ?? approvedBy
    return approvedBy === sold.approvedBy ? sold : { ...sold, approvedBy }
  }
}

const isCharged = ({ method, status, applied }: Payment) =>
  method === 'CREDIT' && status === 'PAID' && applied

/** Whether a part of the sale was paid on credit, whose customer then stays (B-credit-3). */
export const hasCredit = ({ payments }: Pick<Sale, 'payments'>): boolean => payments.some(isCharged)

/** The unpaid charges of a sale, locked before its goods. A sale without credit needs no query. */
export const lockOpenCredit = async (tx: Tx, scope: Scope, sale: Sale): Promise<OpenCharge[]> =>
  hasCredit(sale) ? lockCreditOfSale(tx, scope, sale.id) : []
