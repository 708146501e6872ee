import { assert } from '../../../../core/assert.ts'
import { invalid, malformed, notFound } from '../../../../core/errors.ts'
import type { Pack } from '../../../../core/packs.ts'
import { isWeighed, itemGross } from '../../../../core/sale-totals.ts'
import { emptyToNull } from '../../../../core/text.ts'

export type ItemModifier = { name: string; price: number; modifierId?: string | null }

/** What describes an item without a variant; other items have these from the catalogue. A null rate is that of the sale. */
export type OpenItem = { name: string; taxRateBps: number | null; station: string | null }

/**
 * An item of an open bill. Rupiah; `discount` for the whole item. `isActive` false marks a cancelled part. It has either
 * a variant or `open`.
 */
export type BillItem = {
  id: string
  variantId: string | null
  open?: OpenItem | undefined
  pack: Pack | null
  soldBy: 'WEIGHT' | null
  quantity: number
  unitPrice: number
  labelPrice: number | null
  /** The price list that set the price, if one did. */
  priceListId?: string | null
  modifiers: readonly ItemModifier[]
  discount: number
  note: string | null
  kitchenStatus: 'NEW' | 'PREPARING' | 'READY' | 'SERVED'
  isActive: boolean
}

/**
 * An item as the till sends it. With `id`, omitted fields keep their values. Without it, goods need `variantId` and
 * `quantity`, an open item `name`, `unitPrice` and `quantity`; other omitted fields get their defaults. `catalogPrice`
 * is the present price of its goods by the price lists or the catalogue, `catalogListId` the list that it is from, and `pack` the
 * pack that `packId` means; the caller looks them up.
 */
export type SentItem = {
  id?: string | undefined
  variantId?: string | undefined
  name?: string | undefined
  taxRateBps?: number | null | undefined
  station?: string | null | undefined
  packId?: string | null | undefined
  pack?: Pack | null | undefined
  quantity?: number | undefined
  unitPrice?: number | undefined
  labelPrice?: number | null | undefined
  modifiers?: readonly ItemModifier[] | undefined
  discount?: number | undefined
  note?: string | null | undefined
  catalogPrice?: number | undefined
  catalogListId?: string | null | undefined
  /** Whether other promotions may apply to units that are added to this item. */
  addsApart?: (item: BillItem) => boolean
}

/** An item the bill holds after the edit; `sentIndex` is its place in the body, which orders the bill. */
export type EditedItem = Pick<
  BillItem,
  | 'variantId'
  | 'open'
  | 'pack'
  | 'quantity'
  | 'unitPrice'
  | 'labelPrice'
  | 'priceListId'
  | 'modifiers'
  | 'discount'
  | 'note'
> & { sentIndex: number }

/**
 * Units that were cooked and are no longer wanted. `wholeItem`: the row itself turns inactive; else a new inactive
 * row is made of these fields next to the row that stays. Its quantity and discount are 0, so that it counts nowhere.
 */
export type CancelledItem = Pick<
  BillItem,
  'variantId' | 'unitPrice' | 'modifiers' | 'note' | 'kitchenStatus'
> & { fromId: string; wholeItem: boolean; cancelledQty: number; quantity: 0; discount: 0; isActive: false }

/** The writes of an edit: rows to update (their kitchen state stays), to insert as NEW, to delete, to cancel. */
export type EditPlan = {
  keep: (EditedItem & { id: string })[]
  insert: EditedItem[]
  remove: string[]
  cancel: CancelledItem[]
}

function cancelled(item: BillItem, cancelledQty: number): CancelledItem {
  const { variantId, unitPrice, modifiers, note, kitchenStatus } = item
  const wholeItem = cancelledQty === item.quantity
  const facts = { variantId, unitPrice, modifiers, note, kitchenStatus }
  return { ...facts, fromId: item.id, wholeItem, cancelledQty, quantity: 0, discount: 0, isActive: false }
}

/**
 * Throws 400 for a new item without its required fields, and for one with the fields of both a catalogue item and an
 * open item (B-openitem-1). The schema cannot express this. Goods have the rate of the catalogue, except in a sale
 * that was made offline.
 */
export function requireItemForm(
  sent: readonly (SentItem & { promotions?: unknown })[],
  { isOffline = false } = {},
) {
  sent.forEach(({ id, variantId, packId, name, unitPrice, taxRateBps, station, promotions }, index) => {
    const path = `items[${index}]`
    if (promotions !== undefined && !isOffline)
      throw malformed(`${path}.promotions`, 'Only an offline sale sends promotions: the service decides them')
    if (variantId !== undefined) {
      if (name !== undefined)
        throw malformed(
          `${path}.name`,
          'An item with a variantId has the name of its product: leave out name',
        )
      // An item that is sent back unchanged has both, and both are ignored.
      if (id !== undefined) return
      if (station !== undefined && station !== null)
        throw malformed(`${path}.station`, 'An item with a variantId has its station from the catalogue')
      if (taxRateBps !== undefined && !isOffline)
        throw malformed(`${path}.taxRateBps`, 'An item with a variantId has its tax rate from the catalogue')
      return
    }
    if (id !== undefined) return
    if (packId)
      throw malformed(`${path}.packId`, 'An open item has no packs: send a variantId, or leave out packId')
    if (name === undefined)
      throw malformed(`${path}.variantId`, 'Name the variant, or send name and unitPrice for an open item')
    if (unitPrice === undefined) throw malformed(`${path}.unitPrice`, 'An open item needs a unitPrice')
  })
}

/** 400 for an item of an edit without id that leaves out what a new item needs (B-edit-1). */
export function requireComplete(sent: readonly SentItem[]) {
  requireItemForm(sent)
  sent.forEach(({ id, quantity }, index) => {
    if (id !== undefined) return
    if (quantity === undefined) throw malformed(`items[${index}].quantity`, 'Say how many to add')
  })
}

/** 404 for an id that is not an item of this bill. */
export function requireOnBill(
  items: readonly { id: string }[],
  sent: readonly { id?: string | undefined }[],
) {
  const known = new Set(items.map(({ id }) => id))
  sent.forEach(({ id }, index) => {
    if (id !== undefined && !known.has(id)) throw notFound('item on this bill', `items[${index}].id`)
  })
}

/** 400 for a name sent for an item of the catalogue: its id does not make it another one (B-openitem-1). */
export function requireOpenNames(items: readonly BillItem[], sent: readonly SentItem[]) {
  const byId = new Map(items.map((item) => [item.id, item]))
  sent.forEach(({ id, variantId, name }, index) => {
    const item = id === undefined ? undefined : byId.get(id)
    if (!item || item.variantId === null || variantId !== undefined) return
    if (name === undefined) return
    throw malformed(`items[${index}].name`, 'Only an open item has a name; this one has a variantId')
  })
}

/** Items named by id come first, so that no item without an id takes one of them (B-kitchen-3). */
function namedById(items: readonly BillItem[], sent: readonly SentItem[]): Map<number, BillItem> {
  const byId = new Map(items.map((item) => [item.id, item]))
  const named = new Map<number, BillItem>()
  const seen = new Set<string>()
  sent.forEach(({ id }, index) => {
    if (id === undefined) return
    const param = `items[${index}].id`
    const item = byId.get(id)
    assert(item, 'the caller has looked for every item that is named')
    if (!item.isActive)
      throw invalid(param, 'This item was cancelled: send it without an id to order it again')
    if (seen.has(id))
      throw invalid(param, 'This item is in the list twice: send it once with the total quantity')
    seen.add(id)
    named.set(index, item)
  })
  return named
}

type Likeness = Pick<SentItem, 'name' | 'note' | 'modifiers' | 'packId' | 'labelPrice'> & {
  variantId?: string | null | undefined
}
/** Variant with pack or name, label, note and modifiers in any order: what makes two items alike, at the same or another price. */
const fingerprint = (item: Likeness) =>
  JSON.stringify([
    item.variantId ?? { name: item.name },
    item.packId ?? null,
    item.labelPrice ?? null,
    emptyToNull(item.note),
    ...(item.modifiers ?? []).map(({ name, price }) => JSON.stringify([name, price])).sort(),
  ])

/** Without a price any price matches, the catalogue's first and then the oldest item (B-edit-4). */
function findMatch(free: ReadonlyMap<BillItem, string>, sent: SentItem): BillItem | undefined {
  const wanted = fingerprint(sent)
  const alike = [...free].filter(([, print]) => print === wanted).map(([item]) => item)
  const price = sent.unitPrice ?? sent.catalogPrice
  const equal = alike.find((item) => item.unitPrice === price)
  return equal ?? (sent.unitPrice === undefined ? alike[0] : undefined)
}

type Price = Pick<BillItem, 'unitPrice' | 'priceListId'>
const priceFrom = (unitPrice: number, listId: string | null | undefined): Price =>
  listId ? { unitPrice, priceListId: listId } : { unitPrice, priceListId: null }

/** The price of a new item: the one that was sent, or else the present one (B-price-3). */
function priceOf(sent: SentItem): Price {
  const price = sent.unitPrice ?? sent.catalogPrice
  assert(price !== undefined, 'the caller looks up the catalogue price of every variant that is sent')
  return priceFrom(price, price === sent.catalogPrice ? sent.catalogListId : null)
}

/** Whether a price list set the price of the item, or would set it now. */
const isListed = (item: BillItem, sent: SentItem) => Boolean(item.priceListId ?? sent.catalogListId)

/**
 * The price of an item that stays: an item keeps the price of its list. Without lists, an item that is named without its id
 * takes the price of the catalogue (B-price-4).
 */
function priceKept(item: BillItem, sent: SentItem): Price {
  const { unitPrice, priceListId } = item
  const isSame =
    sent.unitPrice === undefined
      ? sent.id !== undefined || isListed(item, sent)
      : sent.unitPrice === unitPrice
  return isSame ? priceFrom(unitPrice, priceListId) : priceOf(sent)
}

/**
 * The price of units that are added to an item, if it is another one than that of the item (B-price-4); else null. A till
 * that sends the price of the item back does not ask for the price of a list that is over.
 */
function priceAdded(item: BillItem, sent: SentItem): Price | null {
  const { unitPrice, catalogPrice, catalogListId } = sent
  const isSentBack = Boolean(item.priceListId) && unitPrice === item.unitPrice
  if (unitPrice !== undefined && !isSentBack) return null
  if (catalogPrice === undefined || !isListed(item, sent)) return null
  return catalogPrice === item.unitPrice ? null : priceFrom(catalogPrice, catalogListId)
}

/** What was not sent of an open item stays as it is. */
const openOf = (sent: SentItem, known: OpenItem | undefined): OpenItem => ({
  name: sent.name ?? known?.name ?? '',
  taxRateBps: sent.taxRateBps === undefined ? (known?.taxRateBps ?? null) : sent.taxRateBps,
  station: sent.station === undefined ? (known?.station ?? null) : emptyToNull(sent.station),
})

function newItem(sent: SentItem, sentIndex: number, replaced: BillItem | undefined): EditedItem {
  const quantity = sent.quantity ?? replaced?.quantity
  const variantId = sent.variantId ?? replaced?.variantId ?? null
  assert(quantity !== undefined, 'the caller has refused incomplete items')
  return {
    variantId,
    ...(variantId === null ? { open: openOf(sent, replaced?.open) } : {}),
    pack: sent.pack ?? null,
    quantity,
    ...priceOf(sent),
    labelPrice: sent.labelPrice ?? null,
    modifiers: sent.modifiers ?? [],
    discount: sent.discount ?? 0,
    note: emptyToNull(sent.note),
    sentIndex,
  }
}

function editedItem(item: BillItem, sent: SentItem, sentIndex: number, quantity: number): EditedItem {
  const open = item.open && { open: openOf(sent, item.open) }
  const facts = { variantId: item.variantId, ...open, pack: item.pack, quantity, sentIndex }
  if (sent.id === undefined) {
    const { modifiers, note, labelPrice } = item
    return { ...facts, ...priceKept(item, sent), labelPrice, modifiers, note, discount: sent.discount ?? 0 }
  }
  const price = priceKept(item, sent)
  const modifiers = sent.modifiers ?? item.modifiers
  // A label that was not sent is that of the weight it was printed for.
  const labelKept = quantity === item.quantity ? item.labelPrice : null
  const labelPrice = sent.labelPrice === undefined ? labelKept : sent.labelPrice
  const { soldBy, pack } = item
  const gross = itemGross({ quantity, unitPrice: price.unitPrice, modifiers, soldBy, pack, labelPrice })
  // A discount that was not sent shrinks with its item, like an order discount that is carried over (B-money-3).
  const discount = sent.discount ?? Math.min(item.discount, gross)
  return {
    ...facts,
    ...price,
    labelPrice,
    modifiers,
    discount,
    note: sent.note === undefined ? item.note : emptyToNull(sent.note),
  }
}

/** An item with another variant or another pack is another item, whatever its id. */
const isOther = ({ variantId, packId }: SentItem, item: BillItem) =>
  (variantId !== undefined && variantId !== item.variantId) ||
  (packId !== undefined && packId !== (item.pack?.id ?? null))

/**
 * Plans the edit of an open bill (B-edit-1, B-edit-5, B-edit-4): which rows change, appear, vanish, or stay as
 * cancelled. Items match by id, else by variant, pack, price, modifiers in any order and note; an id with another variant
 * or pack is a removal plus a new item. An item that the kitchen has not started changes freely. A started item keeps
 * its cooked units: cancelled units become an inactive row, and added units become a second NEW item with the rest of
 * the discount. Units added to an item whose price a list has changed are a
 * second item as well (B-price-4). `current` is oldest first; `isKitchen` says whether the
 * sale is, or was, for the kitchen; `sent` has passed `requireComplete` and `requireOnBill`.
 * 422: `items` empty, `items[i].id` repeated or cancelled.
 */
export function planEdit(
  current: readonly BillItem[],
  sent: readonly SentItem[],
  isKitchen: boolean,
): EditPlan {
  if (sent.length === 0)
    throw invalid('items', 'A bill needs at least one item: discard it to drop everything')
  const named = namedById(current, sent)
  const taken = new Set(named.values())
  const free = new Map(
    current
      .filter((item) => item.isActive && !taken.has(item))
      .map((item) => [item, fingerprint({ ...item, name: item.open?.name, packId: item.pack?.id })]),
  )
  const plan: EditPlan = { keep: [], insert: [], remove: [], cancel: [] }
  const isStarted = (item: BillItem) => isKitchen && item.kitchenStatus !== 'NEW'
  const drop = (item: BillItem) => {
    if (isStarted(item)) plan.cancel.push(cancelled(item, item.quantity))
    else plan.remove.push(item.id)
  }
  sent.forEach((request, sentIndex) => {
    const item = named.get(sentIndex) ?? findMatch(free, request)
    if (item) free.delete(item)
    if (!item || isOther(request, item)) {
      if (item) drop(item)
      plan.insert.push(newItem(request, sentIndex, item))
      return
    }
    const wanted = request.quantity ?? item.quantity
    // Another weight is a correction, not more to cook or to price.
    const isCounted = !isWeighed(item)
    const added = isCounted ? (priceAdded(item, request) ?? (request.addsApart?.(item) ? {} : null)) : null
    const isApart = isCounted && isStarted(item)
    const surplus = isApart || added ? Math.max(0, wanted - item.quantity) : 0
    const kept = editedItem(item, request, sentIndex, wanted - surplus)
    // The till sees one item: a discount larger than its started part continues on the rest.
    const excess = surplus > 0 ? Math.max(0, kept.discount - itemGross(kept)) : 0
    plan.keep.push({ ...kept, discount: kept.discount - excess, id: item.id })
    if (surplus > 0) plan.insert.push({ ...kept, ...added, quantity: surplus, discount: excess })
    if (isApart && wanted < item.quantity) plan.cancel.push(cancelled(item, item.quantity - wanted))
  })
  for (const item of free.keys()) drop(item)
  return plan
}

/** The active items to price, in the sent order; a surplus follows its item. */
export const itemsAfter = (plan: EditPlan): (EditedItem & { id?: string })[] =>
  [...plan.keep, ...plan.insert].sort((a, b) => a.sentIndex - b.sentIndex)
