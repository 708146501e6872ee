import type { Static } from 'typebox'
import { pageOf } from '../../../../core/cursor.ts'
import { ApiError, conflict, notFound } from '../../../../core/errors.ts'
import type { Db, Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { shareCustomer } from '../../customers/index.ts'
import type { SaleQuery } from '../schema.ts'
import { findPrinted, findShared, list, lockSaleRow, type Printed } from '../store/read.ts'
import type { Sale } from './types.ts'
import { saleView } from './view.ts'

/**
 * One sale with all that belongs to it, for a read outside of any transaction; 404 when the workspace has none of that
 * id.
 */
export async function readSale(db: Db, scope: Scope, id: string): Promise<Readonly<Sale>> {
  return orNotFound(await findShared(db, scope.accountId, id))
}

/** The same with what its receipt says beside it. */
export async function readPrinted(db: Db, scope: Scope, id: string): Promise<Readonly<Sale & Printed>> {
  return orNotFound(await findPrinted(db, scope.accountId, id))
}

/**
 * The same, locked until the transaction ends, its customer held: what is read is what will be written and announced.
 */
export async function lockSale(tx: Tx, scope: Scope, id: string): Promise<Sale> {
  return withSharedCustomer(tx, scope, orNotFound(await lockSaleRow(tx, scope, id)))
}

/**
 * The same for two sales, the second named by `param` of the request. They are locked in order of id and their customers
 * after both, so that two requests for one pair cannot wait for each other.
 */
export async function lockSalePair(
  tx: Tx,
  scope: Scope,
  id: string,
  other: { id: string; param: string },
): Promise<[Sale, Sale]> {
  const lockOther = async () => orNotFound(await lockSaleRow(tx, scope, other.id), other.param)
  const earlier = other.id < id ? await lockOther() : null
  const first = orNotFound(await lockSaleRow(tx, scope, id))
  const second = earlier ?? (await lockOther())
  return [await withSharedCustomer(tx, scope, first), await withSharedCustomer(tx, scope, second)]
}

async function withSharedCustomer(tx: Tx, scope: Scope, sale: Sale): Promise<Sale> {
  if (sale.customerId === null) return sale
  const { name, phone } = await shareCustomer(tx, scope, sale.customerId)
  return { ...sale, around: { ...sale.around, customer: { id: sale.customerId, name, phone } } }
}

function orNotFound<S>(sale: S | undefined, param?: string): S {
  if (!sale) throw notFound('sale', param)
  return sale
}

/** A page of sales, newest first, without their items. */
export async function listSales(
  db: Db,
  scope: Scope,
  { limit, cursor, ...filter }: Static<typeof SaleQuery>,
) {
  return pageOf(await list(db, scope, filter, { limit, cursor }), limit)
}

/** A refusal by state shows the sale as it is now, so the till need not ask again (B-answer-6). */
export async function withSaleOnConflict<T>(sale: Sale, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFLICT' || error.details) throw error
    throw conflict(error.message, { sale: saleView(sale) })
  }
}
