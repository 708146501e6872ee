import type { Static } from 'typebox'
import { pageOf } from '../../../../core/cursor.ts'
import { ApiError, conflict, notFound } from '../../../../core/errors.ts'
import type { Db, Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { shareCustomer } from '../../customers/index.ts'
import type { SaleQuery } from '../schema.ts'
import { find, list, lockSaleRow } from '../store/read.ts'
import type { Bill } from './types.ts'
import { saleView } from './view.ts'

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

/** A page of sales, newest first, without their items. */
export async function listSales(
  db: Db,
  scope: Scope,
  { limit, cursor, ...filter }: Static<typeof SaleQuery>,
) {
  return pageOf(await list(db, scope, filter, { limit, cursor }), limit)
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
