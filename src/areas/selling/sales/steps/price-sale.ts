import { assert } from '../../../../core/assert.ts'
import { conflict, invalid, malformed, notFound } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import { sum } from '../../../../core/money.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { maskOf } from '../../gift-cards/index.ts'
import type { BillModifier, EditedLine } from '../rules/merge-bill.ts'
import type { AppliedTender } from '../rules/tenders.ts'
import type { Totals } from '../rules/totals.ts'
import { type Bill, type Item, isKitchenOpen, type Surroundings, type Tender } from '../sale/bill.ts'
import { MAX_DRAFT_KIB, MAX_PAYMENTS } from '../schema.ts'
import type { OutletFacts, Sellable } from '../store/context.ts'

type SentItem = { variantId?: string | undefined; modifiers?: readonly BillModifier[] | undefined }

/** Every id that lines name must exist (404 with the path of the field, contract 1.12). */
export function requireKnown(
  items: readonly SentItem[],
  known: { sellables: ReadonlyMap<string, Sellable>; modifierIds: ReadonlySet<string> },
) {
  items.forEach((item, index) => {
    if (item.variantId !== undefined && !known.sellables.has(item.variantId)) {
      throw notFound('product variant', `items[${index}].variantId`)
    }
    item.modifiers?.forEach(({ modifierId }, at) => {
      if (modifierId && !known.modifierIds.has(modifierId)) {
        throw notFound('modifier', `items[${index}].modifiers[${at}].modifierId`)
      }
    })
  })
}

/** 422 for what is no longer sold, unless the bill holds it already (contract 6.4). */
export function requireLive(
  items: readonly SentItem[],
  sellables: ReadonlyMap<string, Sellable>,
  held: ReadonlySet<string> = new Set(),
) {
  items.forEach(({ variantId }, index) => {
    const sellable = variantId === undefined ? undefined : sellables.get(variantId)
    if (!sellable || sellable.isLive || held.has(sellable.variantId)) return
    throw invalid(
      `items[${index}].variantId`,
      `${sellable.productName} is no longer sold; take it off the bill`,
    )
  })
}

export const idsOf = (items: readonly SentItem[]) => ({
  variantIds: [...new Set(items.flatMap(({ variantId }) => variantId ?? []))],
  modifierIds: [
    ...new Set(
      items.flatMap(({ modifiers }) => (modifiers ?? []).flatMap(({ modifierId }) => modifierId ?? [])),
    ),
  ],
})

/** Stored as sent and checked at dispatch; only its size has a bound here (contract 6.11). */
export function requireSmallDraft(draft: unknown) {
  if (draft !== undefined && Buffer.byteLength(JSON.stringify(draft)) > MAX_DRAFT_KIB * 1024) {
    throw malformed('deliveryDraft', `deliveryDraft must be at most ${MAX_DRAFT_KIB} KiB`)
  }
}

export function requireRoomForPayments(before: readonly Tender[], added: readonly Tender[]) {
  for (const failed of [true, false]) {
    const alike = (tender: Tender) => (tender.status === 'FAILED') === failed
    const [held, coming] = [before.filter(alike).length, added.filter(alike).length]
    if (coming > 0 && held + coming > MAX_PAYMENTS) {
      throw conflict(`A sale takes at most ${MAX_PAYMENTS} ${failed ? 'failed payments' : 'payments'}`)
    }
  }
}

/** A line as a row, not yet priced. */
export function newItem(
  scope: Scope,
  line: Omit<EditedLine, 'sentIndex'>,
  sellable: Sellable | undefined,
  position: number,
): Item {
  assert(sellable, 'every variant of the bill was read with it')
  const modifiers = line.modifiers.length === 0 ? null : line.modifiers.map((modifier) => ({ ...modifier }))
  return {
    id: newId('saleItem'),
    saleId: '',
    position,
    variantId: sellable.variantId,
    productId: sellable.productId,
    productName: sellable.productName,
    variantName: sellable.variantName,
    sku: sellable.sku,
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    modifiers,
    modifiersTotal: sum(line.modifiers.map(({ price }) => price)),
    discount: line.discount,
    orderDiscountShare: 0,
    taxAmount: 0,
    lineTotal: 0,
    note: line.note === '' ? null : line.note,
    refundedQty: 0,
    refundedValue: 0,
    refundedTax: 0,
    restockedQty: 0,
    movedStock: false,
    components: null,
    batches: null,
    station: sellable.station,
    kitchenStatus: 'NEW',
    kitchenUpdatedAt: null,
    isActive: true,
    cancelledQty: 0,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
}

export function newTender(scope: Scope, saleId: string, tender: AppliedTender): Tender {
  const { method, status, reference } = tender
  // A card that pays is masked once it is found and debited; one that did not pay is never looked up.
  const hidden = method === 'GIFT_CARD' && status !== 'PAID' && reference !== null
  return {
    id: newId('payment'),
    saleId,
    ...tender,
    reference: hidden ? maskOf(reference) : reference,
    verified: false,
    applied: tender.status === 'PAID',
    giftCardId: null,
    shiftId: null,
    refundedAmount: 0,
    paidAt: tender.status === 'PAID' ? scope.now : null,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
}

/** Writes the figures of a pricing onto the lines it priced, which must come in the same order. */
export function priced(items: readonly Item[], totals: Totals): Item[] {
  return items.map((item, index) => {
    const line = totals.lines[index]
    assert(line, 'every line was priced')
    const { orderDiscountShare, taxAmount, lineTotal } = line
    return { ...item, orderDiscountShare, taxAmount, lineTotal }
  })
}

export const figuresOf = (totals: Totals) => ({
  subtotal: totals.subtotal,
  discountTotal: totals.discountTotal,
  orderDiscount: totals.orderDiscount,
  promoDiscount: totals.promoDiscount,
  taxTotal: totals.taxTotal,
  deliveryFee: totals.deliveryFee,
  total: totals.total,
})

export const outletView = (outlet: OutletFacts): Surroundings['outlet'] => ({
  name: outlet.name,
  address: outlet.address,
  phone: outlet.phone,
  receiptHeader: outlet.receiptHeader,
  receiptFooter: outlet.receiptFooter,
})

/** The bill with what follows from its lines and state kept in step. */
export const derived = (bill: Bill): Bill => ({
  ...bill,
  itemCount: bill.items.filter((item) => item.isActive).length,
  kitchenOpen: isKitchenOpen(bill),
})
