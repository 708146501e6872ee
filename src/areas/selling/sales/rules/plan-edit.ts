import { assert } from '../../../../core/assert.ts'
import { invalid, malformed, notFound } from '../../../../core/errors.ts'
import { lineGross } from './totals.ts'

export type BillModifier = { name: string; price: number; modifierId?: string | null }

/** A line of an open bill. Rupiah; `discount` for the whole line. `isActive` false marks a cancelled part. */
export type BillLine = {
  id: string
  variantId: string
  quantity: number
  unitPrice: number
  modifiers: readonly BillModifier[]
  discount: number
  note: string | null
  kitchenStatus: 'NEW' | 'PREPARING' | 'READY' | 'SERVED'
  isActive: boolean
}

/**
 * A line as the till sends it: with `id` it keeps what it leaves out, without one it is complete (`variantId`,
 * `quantity`) and the rest is default. `catalogPrice` is looked up by the caller wherever `variantId` is sent.
 */
export type SentLine = {
  id?: string | undefined
  variantId?: string | undefined
  quantity?: number | undefined
  unitPrice?: number | undefined
  modifiers?: readonly BillModifier[] | undefined
  discount?: number | undefined
  note?: string | null | undefined
  catalogPrice?: number | undefined
}

/** A line the bill holds after the edit; `sentIndex` is its place in the body, which orders the bill. */
export type EditedLine = Pick<
  BillLine,
  'variantId' | 'quantity' | 'unitPrice' | 'modifiers' | 'discount' | 'note'
> & { sentIndex: number }

/**
 * What was cooked and is no longer wanted. `wholeLine`: the row itself turns inactive; else a new inactive row is made
 * of these fields beside the row that stays. Its quantity and discount are 0, so that it counts nowhere.
 */
export type CancelledLine = Pick<
  BillLine,
  'variantId' | 'unitPrice' | 'modifiers' | 'note' | 'kitchenStatus'
> & { fromId: string; wholeLine: boolean; cancelledQty: number; quantity: 0; discount: 0; isActive: false }

/** The writes of an edit: rows to update (their kitchen state stays), to insert as NEW, to delete, to cancel. */
export type BillPlan = {
  keep: (EditedLine & { id: string })[]
  insert: EditedLine[]
  remove: string[]
  cancel: CancelledLine[]
}

function cancelled(line: BillLine, cancelledQty: number): CancelledLine {
  const { variantId, unitPrice, modifiers, note, kitchenStatus } = line
  const wholeLine = cancelledQty === line.quantity
  const facts = { variantId, unitPrice, modifiers, note, kitchenStatus }
  return { ...facts, fromId: line.id, wholeLine, cancelledQty, quantity: 0, discount: 0, isActive: false }
}

/** 400 for a line without id that leaves out what a new line needs: the schema cannot say so (contract 6.14). */
export function requireComplete(sent: readonly SentLine[]) {
  sent.forEach(({ id, variantId, quantity }, index) => {
    if (id !== undefined) return
    if (variantId === undefined) throw malformed(`items[${index}].variantId`, 'Name the variant to add')
    if (quantity === undefined) throw malformed(`items[${index}].quantity`, 'Say how many to add')
  })
}

/** 404 for an id that is no line of this bill. */
export function requireOnBill(
  lines: readonly { id: string }[],
  sent: readonly { id?: string | undefined }[],
) {
  const known = new Set(lines.map(({ id }) => id))
  sent.forEach(({ id }, index) => {
    if (id !== undefined && !known.has(id)) throw notFound('line on this bill', `items[${index}].id`)
  })
}

/** Lines named by id come first, so that no line without an id takes one of them (contract S9). */
function namedById(lines: readonly BillLine[], sent: readonly SentLine[]): Map<number, BillLine> {
  const byId = new Map(lines.map((line) => [line.id, line]))
  const named = new Map<number, BillLine>()
  const seen = new Set<string>()
  sent.forEach(({ id }, index) => {
    if (id === undefined) return
    const param = `items[${index}].id`
    const line = byId.get(id)
    assert(line, 'the caller has looked for every line that is named')
    if (!line.isActive)
      throw invalid(param, 'This line was cancelled: send the item without an id to order it again')
    if (seen.has(id))
      throw invalid(param, 'This line is in the list twice: send it once with the total quantity')
    seen.add(id)
    named.set(index, line)
  })
  return named
}

/** Variant, note and modifiers in any order: what makes two lines the same item at the same or another price. */
const fingerprint = (line: Pick<SentLine, 'variantId' | 'note' | 'modifiers'>) =>
  JSON.stringify([
    line.variantId,
    line.note ?? null,
    ...(line.modifiers ?? []).map(({ name, price }) => JSON.stringify([name, price])).sort(),
  ])

/** Without a price any price matches, the catalogue's first and then the oldest line (contract 26.14). */
function findMatch(free: ReadonlyMap<BillLine, string>, sent: SentLine): BillLine | undefined {
  const wanted = fingerprint(sent)
  const alike = [...free].filter(([, print]) => print === wanted).map(([line]) => line)
  const price = sent.unitPrice ?? sent.catalogPrice
  const equal = alike.find((line) => line.unitPrice === price)
  return equal ?? (sent.unitPrice === undefined ? alike[0] : undefined)
}

function priceOf(sent: SentLine): number {
  const price = sent.unitPrice ?? sent.catalogPrice
  assert(price !== undefined, 'the caller looks up the catalogue price of every variant that is sent')
  return price
}

function newLine(sent: SentLine, sentIndex: number, replaced: BillLine | undefined): EditedLine {
  const quantity = sent.quantity ?? replaced?.quantity
  assert(sent.variantId !== undefined && quantity !== undefined, 'the caller has refused incomplete lines')
  return {
    variantId: sent.variantId,
    quantity,
    unitPrice: priceOf(sent),
    modifiers: sent.modifiers ?? [],
    discount: sent.discount ?? 0,
    note: sent.note ?? null,
    sentIndex,
  }
}

function editedLine(line: BillLine, sent: SentLine, sentIndex: number, quantity: number): EditedLine {
  const facts = { variantId: line.variantId, quantity, sentIndex }
  if (sent.id === undefined) {
    const { modifiers, note } = line
    return { ...facts, unitPrice: priceOf(sent), modifiers, note, discount: sent.discount ?? 0 }
  }
  const unitPrice = sent.unitPrice ?? line.unitPrice
  const modifiers = sent.modifiers ?? line.modifiers
  // A discount nobody sent shrinks with its line, as an order discount carried over does (contract 6.4).
  const discount = sent.discount ?? Math.min(line.discount, lineGross({ quantity, unitPrice, modifiers }))
  return { ...facts, unitPrice, modifiers, discount, note: sent.note === undefined ? line.note : sent.note }
}

/**
 * Plans the edit of an open bill (contract 6.14, S9, 26.14): which rows change, appear, vanish, or stay as cancelled.
 * Lines match by id, else by variant, price, modifiers in any order and note; an id with another variant is a removal
 * plus a new line. A line the kitchen has not started grows, shrinks and vanishes freely; of a started one nothing
 * cooked is lost: what is no longer wanted becomes an inactive row, what is wanted beyond it a second NEW line, whose
 * discount is what the started one is not worth. `current` is oldest first; `isKitchen` tells whether the sale is, or
 * was, one for the kitchen; `sent` has passed `requireComplete` and `requireOnBill`.
 * 422: `items` empty, `items[i].id` repeated or cancelled.
 */
export function planEdit(
  current: readonly BillLine[],
  sent: readonly SentLine[],
  isKitchen: boolean,
): BillPlan {
  if (sent.length === 0)
    throw invalid('items', 'A bill needs at least one line: discard it to drop everything')
  const named = namedById(current, sent)
  const taken = new Set(named.values())
  const free = new Map(
    current.filter((line) => line.isActive && !taken.has(line)).map((line) => [line, fingerprint(line)]),
  )
  const plan: BillPlan = { keep: [], insert: [], remove: [], cancel: [] }
  const isStarted = (line: BillLine) => isKitchen && line.kitchenStatus !== 'NEW'
  const drop = (line: BillLine) => {
    if (isStarted(line)) plan.cancel.push(cancelled(line, line.quantity))
    else plan.remove.push(line.id)
  }
  sent.forEach((item, sentIndex) => {
    const line = named.get(sentIndex) ?? findMatch(free, item)
    if (line) free.delete(line)
    if (!line || (item.variantId !== undefined && item.variantId !== line.variantId)) {
      if (line) drop(line)
      plan.insert.push(newLine(item, sentIndex, line))
      return
    }
    const wanted = item.quantity ?? line.quantity
    const surplus = isStarted(line) ? Math.max(0, wanted - line.quantity) : 0
    const kept = editedLine(line, item, sentIndex, wanted - surplus)
    // The till sees one line: a discount larger than its started part goes on with the rest of it.
    const excess = surplus > 0 ? Math.max(0, kept.discount - lineGross(kept)) : 0
    plan.keep.push({ ...kept, discount: kept.discount - excess, id: line.id })
    if (surplus > 0) plan.insert.push({ ...kept, quantity: surplus, discount: excess })
    if (isStarted(line) && wanted < line.quantity) plan.cancel.push(cancelled(line, line.quantity - wanted))
  })
  for (const line of free.keys()) drop(line)
  return plan
}

/** The active lines of the bill after the edit, in the order sent, a surplus right behind its line: what to price. */
export const linesAfter = (plan: BillPlan): (EditedLine & { id?: string })[] =>
  [...plan.keep, ...plan.insert].sort((a, b) => a.sentIndex - b.sentIndex)
