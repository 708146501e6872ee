import type { Static } from 'typebox'
import { pageOf } from '../../../../core/cursor.ts'
import { ApiError, conflict, invalid, notFound } from '../../../../core/errors.ts'
import { isDay } from '../../../../core/time.ts'
import { windowOf } from '../../../../core/window.ts'
import type { Db, Tx } from '../../../../platform/db/open.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { clockOfFilter } from '../../../workspace/outlets/index.ts'
import { shareCustomer } from '../../customers/index.ts'
import {
  findPrinted,
  findShared,
  list,
  lockRowToPrint,
  lockSaleRow,
  type ReceiptData,
  WINDOWS,
} from '../store/read.ts'
import type { SaleQuery } from './query.ts'
import type { Sale } from './types.ts'
import { saleView } from './view.ts'

/**
 * One sale with all that belongs to it, for a read outside of any transaction; Throws 404 if the workspace has no
 * such sale, with `param` if a body named it.
 */
export async function readSale(db: Db, scope: Scope, id: string, param?: string): Promise<Readonly<Sale>> {
  return orNotFound(await findShared(db, scope.accountId, id), param)
}

/** The same with what its receipt says beside it. */
export async function readPrinted(
  db: Db,
  scope: Pick<Scope, 'accountId'>,
  id: string,
): Promise<Readonly<Sale & ReceiptData>> {
  return orNotFound(await findPrinted(db, scope.accountId, id))
}

/**
 * The same, with the sale and its customer locked until the transaction ends, so that the sale is written as it was read.
 * A 404 names `param` if a body named the sale.
 */
export async function lockSale(tx: Tx, scope: Scope, id: string, param?: string): Promise<Sale> {
  return orNotFound(await lockSaleIfKnown(tx, scope, id), param)
}

/** The same, or undefined if the workspace has no such sale. */
export async function lockSaleIfKnown(tx: Tx, scope: Scope, id: string): Promise<Sale | undefined> {
  const sale = await lockSaleRow(tx, scope, id)
  return sale && withSharedCustomer(tx, scope, sale)
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

/** Locks the sale, so that its receipts are queued one after the other. */
export async function lockToPrint(tx: Tx, scope: Scope, id: string): Promise<void> {
  if (!(await lockRowToPrint(tx, scope, id))) throw notFound('sale')
}

/** A page of sales, newest first, without their items. */
export async function listSales(db: Db, scope: Scope, { limit, cursor, ...query }: Static<typeof SaleQuery>) {
  const { windows, narrow } = await windowsOf(db, scope, query)
  return pageOf(await list(db, scope, { ...query, ...narrow, windows }, { limit, cursor }), limit)
}

/** The parameters of each window. */
const EDGES = {
  sold: { from: 'from', to: 'to' },
  completed: { from: 'completedFrom', to: 'completedTo' },
  voided: { from: 'voidedFrom', to: 'voidedTo' },
  refunded: { from: 'refundedFrom', to: 'refundedTo' },
} as const satisfies Record<(typeof WINDOWS)[number], { from: string; to: string }>

/**
 * The times that a list is narrowed to (B-sale-14). A filter without an index over the whole history needs a window:
 * 422 `completedFrom`.
 */
async function windowsOf(db: Db, scope: Scope, query: Omit<Static<typeof SaleQuery>, 'limit' | 'cursor'>) {
  const asked = WINDOWS.map((what) => {
    const names = EDGES[what]
    return { what, names, from: query[names.from], to: query[names.to] }
  }).filter(({ from, to }) => from !== undefined || to !== undefined)
  const { cashierId, method, productId, categoryId } = query
  const narrow = { cashierId, method, productId, categoryId }
  const needy = Object.entries(narrow).find(([, value]) => value !== undefined)
  if (needy && asked.length === 0 && query.q === undefined)
    throw invalid(
      'completedFrom',
      `Say when as well: ${needy[0]} is looked for between completedFrom and completedTo`,
    )
  const hasDay = asked.some(({ from, to }) => isDay(from ?? '') || isDay(to ?? ''))
  const timezone = hasDay ? await clockOfFilter(db, scope, query.outletId) : 'UTC'
  const windows = asked.map(({ what, names, from, to }) => ({
    what,
    ...windowOf({ from, to }, { now: scope.now, timezone, names }),
  }))
  return { windows, narrow }
}

/** A 409 contains the present sale, so that the till need not read it again (B-answer-6). */
export async function withSaleOnConflict<T>(sale: Sale, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFLICT' || error.details) throw error
    throw conflict(error.message, { sale: saleView(sale) })
  }
}
