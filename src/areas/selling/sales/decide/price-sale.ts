import { assert } from '../../../../core/assert.ts'
import { newId } from '../../../../core/ids.ts'
import { DEFAULT_VARIANT } from '../../../../core/labels.ts'
import { sum } from '../../../../core/money.ts'
import type { Pack } from '../../../../core/packs.ts'
import { type Totals, totalsOf } from '../../../../core/sale-totals.ts'
import { type ServiceTerms, serviceTermsOf } from '../../../../core/service-charge.ts'
import type { TaxRule } from '../../../../core/tax.ts'
import { emptyToNull } from '../../../../core/text.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { maskOf } from '../../gift-cards/index.ts'
import type { Vouchers } from '../../pricing/index.ts'
import type { Warning } from '../../promotions/index.ts'
import { requirePrintedTotal } from '../rules/offline.ts'
import { packOf, requireLabelFits, requireUnitsWithin } from '../rules/packs.ts'
import { type AppliedPayment, notPaidMessage, openingOf } from '../rules/payments.ts'
import type { EditedItem, OpenItem } from '../rules/plan-edit.ts'
import { derived } from '../sale/facts.ts'
import { detailsOf } from '../sale/kept.ts'
import type { Item, Payment, Sale, Surroundings } from '../sale/types.ts'
import type { SaleIn } from '../schema.ts'
import type { Context, OutletFacts, Sellable } from '../store/context.ts'
import { chosenPrice, orderTypeOf, type Pricer } from './price-goods.ts'
import { frozenPromotions, type PromotedItems, printedPromotions, promoted } from './promote-sale.ts'

/** A priced sale with the facts that it was decided from; `day` is the day of the outlet. */
export type PricedSale = {
  sale: Sale
  context: Context
  outlet: OutletFacts
  pricer: Pricer
  day: string
  warnings: readonly Warning[]
}

type Setting = {
  context: Context
  outlet: OutletFacts
  around: Surroundings
  pricer: Pricer
  shiftId: string | null
  promoDiscount: number
  vouchers: Vouchers
}

/** The new sale: priced, with its payments applied (B-money-5, B-sale-2, B-sale-3). */
export function priceSale(scope: Scope, body: SaleIn, setting: Setting): Sale {
  const { outlet, around, shiftId, promoDiscount } = setting
  const id = newId('sale')
  const orderType = orderTypeOf(body)
  const isWaived = body.waiveServiceCharge ?? false
  const { tax, service, frozen } = termsOf(outlet, { orderType, isWaived })
  const totalled = ({ items, promotions }: PromotedItems) => ({
    items,
    promotions,
    totals: totalsOf({
      ...tax,
      items: items.map((item) => ({ ...item, modifiers: item.modifiers ?? [] })),
      orderDiscount: body.orderDiscount ?? 0,
      promoDiscount,
      deliveryFee: body.deliveryFee ?? 0,
      service,
    }),
  })
  const { items, promotions, totals } = totalled(
    promotedItems(scope, body, setting, printedBy(body, totalled)),
  )
  if (body.offline) requirePrintedTotal(body.offline.printedTotal, totals.total)
  const opening = openingOf({
    requested: body.status,
    payments: body.payments,
    total: totals.total,
    cashRounding: frozen.cashRounding,
  })
  const completed = opening.status === 'COMPLETED'
  return derived({
    id,
    number: '',
    outletId: outlet.id,
    shiftId,
    ...detailsOf(body),
    orderType,
    status: opening.status,
    itemCount: items.length,
    ...tax,
    ...frozen,
    ...figuresOf(totals, items),
    promotions,
    paidTotal: opening.paidTotal,
    changeTotal: opening.changeTotal,
    roundingTotal: opening.roundingTotal,
    refundedGoods: 0,
    refundedTax: 0,
    refundedService: 0,
    refundedDeliveryFee: 0,
    pointsEarned: 0,
    loyaltyRupiahPerPoint: null,
    deliveryStatus: null,
    shipmentId: null,
    kitchenOpen: false,
    version: 1,
    cashierId: scope.actor.id,
    createdAt: scope.now,
    updatedAt: scope.now,
    completedAt: completed ? scope.now : null,
    voidedAt: null,
    voidReason: null,
    offlineRef: body.offline?.ref ?? null,
    approvedBy: null,
    items: priced(items, totals).map((item) => ({ ...item, saleId: id })),
    payments: opening.applied.map((payment) => newPayment(scope, id, payment)),
    refunds: [],
    around,
  })
}

/** Whether the promotions of an offline sale make the total that its till printed. */
const printedBy =
  ({ offline }: SaleIn, totalled: (items: PromotedItems) => { totals: Totals }) =>
  (items: PromotedItems): boolean =>
    offline === undefined || totalled(items).totals.total === offline.printedTotal

/**
 * The items of the body with their promotions. An offline sale has those that were printed, or else the present ones, or none if
 * its till knew none (B-promo-9).
 */
function promotedItems(
  scope: Scope,
  body: SaleIn,
  { context, pricer, vouchers }: Setting,
  isAsPrinted: (items: PromotedItems) => boolean,
): PromotedItems {
  const items = itemsFrom(scope, body, context, pricer)
  const printed = body.items.map((item) => item.promotions)
  if (printed.some((parts) => parts !== undefined)) return printedPromotions(items, printed)
  const { pricing, sellables } = context
  const all = body.offline
    ? pricing.promotions.filter(({ oncePerCustomer }) => !oncePerCustomer)
    : pricing.promotions
  const present = promoted(items, {
    facts: pricer.facts,
    promotions: [...all, ...vouchers.found],
    customerId: body.customerId || null,
    codes: vouchers.codes,
    usedIds: vouchers.usedIds,
    categoryOf: (variantId) => sellables.get(variantId ?? '')?.categoryId ?? null,
    orderedAt: pricer.instant,
  })
  return present.promotions === null || isAsPrinted(present) ? present : { items, promotions: null }
}

const itemsFrom = (scope: Scope, body: SaleIn, context: Context, { priceOf }: Pricer): Item[] =>
  body.items.map((sent, index) => {
    const sellable = sent.variantId === undefined ? undefined : context.sellables.get(sent.variantId)
    const { quantity, modifiers = [], discount = 0, note = null } = sent
    const pack = packOf(sellable, sent.packId)
    requireUnitsWithin(quantity, pack, `items[${index}].quantity`)
    const price = sellable
      ? chosenPrice(sent.unitPrice, priceOf(sellable, pack))
      : { unitPrice: sent.unitPrice ?? 0, priceListId: null }
    const labelPrice = sent.labelPrice ?? null
    requireLabelFits({ soldBy: sellable?.soldBy, pack, labelPrice, modifiers }, `items[${index}].labelPrice`)
    const { variantId = null, name = '', taxRateBps, station = null } = sent
    const open = { name, taxRateBps: taxRateBps ?? null, station: emptyToNull(station) }
    const details = { variantId, pack, quantity, ...price, labelPrice, modifiers, discount, note }
    return newItem(scope, { ...details, ...(sellable ? { taxRateBps } : { open }) }, sellable, index)
  })

/** The terms of an outlet under which a sale is priced, and as the sale freezes them (B-sale-9). */
export function termsOf(
  outlet: OutletFacts,
  sale: { orderType: string | null; isWaived: boolean },
): { tax: TaxRule; service: ServiceTerms | null; frozen: FrozenTerms } {
  const service = serviceTermsOf(outlet, sale)
  return {
    tax: { taxRateBps: outlet.taxRateBps, taxInclusive: outlet.taxInclusive },
    service,
    frozen: {
      serviceChargeBps: service?.bps ?? null,
      serviceChargeBaseKind: service?.base ?? null,
      serviceChargeTaxable: service?.isTaxable ?? null,
      serviceChargeWaived: sale.isWaived,
      cashRounding: outlet.cashRounding.step === 0 ? null : outlet.cashRounding,
    },
  }
}

type FrozenTerms = Pick<
  Sale,
  | 'serviceChargeBps'
  | 'serviceChargeBaseKind'
  | 'serviceChargeTaxable'
  | 'serviceChargeWaived'
  | 'cashRounding'
>

/** The service charge of a sale by the terms that it has frozen. */
function frozenService(sale: FrozenTerms): ServiceTerms | null {
  const { serviceChargeBps: bps, serviceChargeBaseKind: base, serviceChargeTaxable: isTaxable } = sale
  return bps === null || base === null || isTaxable === null ? null : { bps, base, isTaxable }
}

const NO_WARNINGS: readonly Warning[] = []

/** Warns about a new sale that looks completed and is not paid (B-answer-7). */
export function warningsOfOpening({ status }: SaleIn, sale: Sale): readonly Warning[] {
  if (sale.status === 'COMPLETED' || status !== undefined) return NO_WARNINGS
  const message = notPaidMessage({ ...sale, hasTable: sale.tableId !== null })
  return message === null ? NO_WARNINGS : [{ code: 'NOT_PAID', field: 'payments', message }]
}

/** An item as a row, not yet priced. */
export function newItem(
  scope: Scope,
  sent: Omit<EditedItem, 'sentIndex'> & { taxRateBps?: number | null | undefined },
  sellable: Sellable | undefined,
  position: number,
): Item {
  const goods = sellable ? goodsFacts(sellable) : openFacts(sent.open)
  const modifiers = sent.modifiers.length === 0 ? null : sent.modifiers.map((modifier) => ({ ...modifier }))
  return {
    id: newId('saleItem'),
    saleId: '',
    position,
    ...goods,
    quantity: sent.quantity,
    pack: sent.pack && packFacts(sent.pack),
    unitPrice: sent.unitPrice,
    labelPrice: sent.labelPrice,
    soldBy: sellable?.soldBy === 'WEIGHT' ? 'WEIGHT' : null,
    modifiers,
    modifiersTotal: sum(sent.modifiers.map(({ price }) => price)),
    discount: sent.discount,
    orderDiscountShare: 0,
    // What was sold offline keeps the rate that was printed.
    taxRateBps: sent.taxRateBps === undefined ? goods.taxRateBps : sent.taxRateBps,
    taxAmount: 0,
    lineTotal: 0,
    serviceShare: 0,
    promotions: null,
    promotionShare: 0,
    priceListId: sent.priceListId ?? null,
    note: emptyToNull(sent.note),
    refundedQty: 0,
    refundedValue: 0,
    refundedTax: 0,
    restockedQty: 0,
    movedStock: false,
    components: null,
    batches: null,
    kitchenStatus: 'NEW',
    kitchenUpdatedAt: null,
    isActive: true,
    cancelledQty: 0,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
}

/** The pack without its price and barcode, which the item does not freeze. */
const packFacts = ({ id, name, factor }: Pack): Pack => ({ id, name, factor })

const goodsFacts = (sellable: Sellable) => {
  const { variantId, productId, productName, variantName, sku, taxRateBps, station } = sellable
  return { variantId, productId, productName, variantName, sku, taxRateBps, station }
}

/** An open item has a name and no variant; it is labelled like the only variant of a product. */
function openFacts(open: OpenItem | undefined) {
  assert(open, 'every variant of the sale was read with it')
  const { name, taxRateBps, station } = open
  const none = { variantId: null, productId: null, sku: null }
  return { ...none, productName: name, variantName: DEFAULT_VARIANT, taxRateBps, station }
}

export function newPayment(scope: Scope, saleId: string, payment: AppliedPayment): Payment {
  const { method, status, reference } = payment
  // A card that pays is masked once it is found and debited; one that did not pay is never looked up.
  const hidden = method === 'GIFT_CARD' && status !== 'PAID' && reference !== null
  return {
    id: newId('payment'),
    saleId,
    ...payment,
    reference: hidden ? maskOf(reference) : reference,
    verified: false,
    applied: payment.status === 'PAID',
    giftCardId: null,
    sessionId: null,
    shiftId: null,
    refundedAmount: 0,
    paidAt: payment.status === 'PAID' ? scope.now : null,
    corrections: null,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
}

/** Writes the figures of a pricing onto the items it priced, which must come in the same order. */
export function priced(items: readonly Item[], totals: Totals): Item[] {
  return items.map((item, index) => {
    const figures = totals.items[index]
    assert(figures, 'every item was priced')
    const { orderDiscountShare, taxAmount, lineTotal, serviceShare } = figures
    return { ...item, orderDiscountShare, taxAmount, lineTotal, serviceShare }
  })
}

/** True if everything is taxed at the rate of the sale and there is no service charge: then its rates follow from its sums. */
const isOneRate = ({ serviceCharge }: Totals, items: readonly Pick<Item, 'taxRateBps'>[]) =>
  serviceCharge === null && items.every(({ taxRateBps }) => taxRateBps === null)

export const figuresOf = (totals: Totals, items: readonly Pick<Item, 'taxRateBps'>[]) => ({
  subtotal: totals.subtotal,
  discountTotal: totals.discountTotal,
  orderDiscount: totals.orderDiscount,
  promoDiscount: totals.promoDiscount,
  taxTotal: totals.taxTotal,
  deliveryFee: totals.deliveryFee,
  total: totals.total,
  taxes: isOneRate(totals, items) ? null : totals.taxes,
  serviceChargeBase: totals.serviceCharge?.base ?? null,
  serviceChargeAmount: totals.serviceCharge?.amount ?? null,
  serviceChargeTax: totals.serviceCharge?.tax ?? null,
})

/** The bill with other active items, priced by its own frozen rate and promotions; cancelled items follow (B-sale-9). */
export function withItems(sale: Sale, active: readonly Item[], cancelled: readonly Item[]): Sale {
  const totals = totalsOf({
    taxRateBps: sale.taxRateBps,
    taxInclusive: sale.taxInclusive,
    items: active.map((item) => ({ ...item, modifiers: item.modifiers ?? [] })),
    orderDiscount: sale.orderDiscount,
    clampOrderDiscount: true,
    promoDiscount: sale.promoDiscount,
    deliveryFee: sale.deliveryFee,
    service: frozenService(sale),
  })
  const items = [...priced(active, totals), ...cancelled].map((item, position) => ({
    ...item,
    position,
    saleId: sale.id,
  }))
  const promotions = frozenPromotions(sale.promotions ?? [], active)
  return derived({ ...sale, ...figuresOf(totals, active), promotions, items })
}
