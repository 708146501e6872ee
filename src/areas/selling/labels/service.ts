import { malformed, notFound } from '../../../core/errors.ts'
import type { PriceListRule } from '../../../core/prices.ts'
import { parseInstant } from '../../../core/time.ts'
import type { Db, Tx } from '../../../platform/db/open.ts'
import type { Scope } from '../../../platform/scope.ts'
import { getPrinter, type PrintJob, queueLabels } from '../../dining/printers/index.ts'
import { getPriceList } from '../pricing/index.ts'
import { jobsOfLabels, type LabelGoods, type LabelPack, type LabelRun, labelFor } from './label.ts'
import { copiesOfOrdered, MOST_IN_FILE, MOST_PRINTED, requireSomeLabels, requireSource } from './rules.ts'
import type { LabelFile, LabelPrint, LabelRequest } from './schema.ts'
import * as store from './store.ts'

type Choice = { goods: LabelGoods; pack: LabelPack | null; copies: number }

/** Throws 404 for goods or a pack that do not exist. */
async function chooseItems(
  db: Db,
  scope: Scope,
  items: NonNullable<LabelRequest['items']>,
): Promise<Choice[]> {
  const found = await store.findGoods(
    db,
    scope,
    items.map(({ variantId }) => variantId),
  )
  return items.map(({ variantId, packId = null, copies = 1 }, index) => {
    const goods = found.get(variantId)
    if (!goods) throw notFound('product variant', `items[${index}].variantId`)
    const pack = packId === null ? null : goods.packs.find(({ id }) => id === packId)
    if (pack === undefined) throw notFound('pack', `items[${index}].packId`)
    return { goods, pack, copies }
  })
}

async function chooseOrdered(
  db: Db,
  scope: Scope,
  orderId: string,
  count: 'RECEIVED' | 'ORDERED',
): Promise<Choice[]> {
  const items = await store.listOrdered(db, scope, orderId)
  if (!items) throw notFound('purchase order', 'purchaseOrderId')
  const found = await store.findGoods(
    db,
    scope,
    items.map(({ variantId }) => variantId),
  )
  return items.flatMap(({ variantId, qty, receivedQty, pack, soldBy }) => {
    const goods = found.get(variantId)
    const copies = copiesOfOrdered(count === 'ORDERED' ? qty : receivedQty, pack, soldBy)
    return goods && copies > 0 ? [{ goods, pack: null, copies }] : []
  })
}

async function chooseChanged(db: Db, scope: Scope, changedSince: string, limit: number) {
  const since = parseInstant(changedSince)
  if (since === null)
    throw malformed('changedSince', 'Enter an instant with its offset, such as 2026-11-21T08:00:00+07:00')
  return store.listChanged(db, scope, since, limit)
}

async function chooseCategory(db: Db, scope: Scope, categoryId: string, limit: number) {
  if (!(await store.categoryExists(db, scope, categoryId))) throw notFound('category', 'categoryId')
  return store.listOfCategory(db, scope, categoryId, limit)
}

/** The goods of each field of the request, one field after the other. */
async function choose(db: Db, scope: Scope, request: LabelRequest, limit: number): Promise<Choice[]> {
  const { items, categoryId, changedSince, purchaseOrderId, count = 'RECEIVED', copies = 1 } = request
  const each = (list: LabelGoods[]) => list.map((goods) => ({ goods, pack: null, copies }))
  return [
    ...(items ? await chooseItems(db, scope, items) : []),
    ...(categoryId === undefined ? [] : each(await chooseCategory(db, scope, categoryId, limit))),
    ...(changedSince === undefined ? [] : each(await chooseChanged(db, scope, changedSince, limit))),
    ...(purchaseOrderId === undefined ? [] : await chooseOrdered(db, scope, purchaseOrderId, count)),
  ]
}

/** The labels that a request asks for (B-label-1). Throws 422 for none, and for more than `most`. */
async function readLabels(db: Db, scope: Scope, request: LabelRequest, most: number): Promise<LabelRun[]> {
  const source = requireSource(request)
  const list: PriceListRule | null =
    request.priceListId === undefined
      ? null
      : await getPriceList(db, scope, request.priceListId, 'priceListId')
  const choices = await choose(db, scope, request, most + 1)
  // The encoder loads with the first label, not at startup.
  const { barcodeOf: encode } = await import('../../../platform/print/barcode.ts')
  const runs = choices.map(({ goods, pack, copies }) => ({
    label: labelFor(goods, pack, { list, encode }),
    copies,
  }))
  requireSomeLabels(runs, most, source)
  return runs
}

/** The labels as a PDF (B-label-3). */
export async function createLabelFile(
  db: Db,
  scope: Scope,
  { paper, skip = 0, design = 'PRICE', ...request }: LabelFile,
): Promise<Buffer> {
  const runs = await readLabels(db, scope, request, MOST_IN_FILE)
  const { labelSheets } = await import('./sheets.ts')
  return labelSheets(runs, { paper, skip, design, createdAt: scope.now })
}

/** Queues the labels at a printer (B-label-4). */
export async function printLabels(
  tx: Tx,
  scope: Scope,
  { printerId, design = 'PRICE', ...request }: LabelPrint,
): Promise<PrintJob[]> {
  const runs = await readLabels(tx, scope, request, MOST_PRINTED)
  const printer = await getPrinter(tx, scope, printerId, 'printerId')
  return queueLabels(tx, scope, printer, jobsOfLabels(runs, design))
}
