import { ApiError, conflict, notFound } from '../../../../core/errors.ts'
import type { Db, Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { shareCustomer } from '../../customers/index.ts'
import { find, lockSaleRow } from '../store/read.ts'
import { type Bill, saleView } from './bill.ts'

/** One sale with all that belongs to it; 404 when the workspace has none of that id. */
export async function getBill(db: Db, scope: Scope, id: string): Promise<Bill> {
  return orNotFound(await find(db, scope, id))
}

/** The same, locked until the transaction ends, its customer held: what is read is what will be written and told. */
export async function lockBill(tx: Tx, scope: Scope, id: string): Promise<Bill> {
  const bill = orNotFound(await lockSaleRow(tx, scope, id))
  if (bill.customerId === null) return bill
  const { name, phone } = await shareCustomer(tx, scope, bill.customerId)
  return { ...bill, around: { ...bill.around, customer: { id: bill.customerId, name, phone } } }
}

function orNotFound(bill: Bill | undefined): Bill {
  if (!bill) throw notFound('sale')
  return bill
}

/**
 * The house's order of checks: what does not exist is told before a wrong state, and that before wrong values
 * (contract 26.3). Looks at several records and keeps every refusal but a 404 until all were found.
 */
export function notFoundFirst() {
  const kept: ApiError[] = []
  return {
    look: async <T>(work: Promise<T>): Promise<T | null> => {
      try {
        return await work
      } catch (error) {
        if (!(error instanceof ApiError) || error.status === 404) throw error
        kept.push(error)
        return null
      }
    },
    refuse: () => {
      const first = kept.find((error) => error.status === 409) ?? kept[0]
      if (first) throw first
    },
  }
}

/** A refusal by state shows the sale as it is now, so the till need not ask again (contract 2.5). */
export async function withSaleOnConflict<T>(bill: Bill, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFLICT' || error.details) throw error
    throw conflict(error.message, { sale: saleView(bill) })
  }
}
