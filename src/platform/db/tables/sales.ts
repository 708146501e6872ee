// Rows of migrations/0004_sales.sql, 0066_gift_cards_at_partner.sql, 0145_offline_sales.sql, 0150_money_terms.sql,
// 0200_price_lists.sql and 0201_promotions.sql, as Kysely sees them.
import type { Generated } from 'kysely'
import type { JsonColumn } from './json.ts'

export type OutletDaysRow = {
  accountId: string
  outletId: string
  day: string
  lastNumber: number
}

export type SalesRow = {
  accountId: string
  id: string
  number: string
  outletId: string
  shiftId: string | null
  customerId: string | null
  tableId: string | null
  orderType: 'DINE_IN' | 'TAKEAWAY' | 'DELIVERY' | null
  status: 'PARKED' | 'COMPLETED' | 'VOIDED'
  note: string | null
  itemCount: number
  subtotal: number
  discountTotal: number
  orderDiscount: number
  promoDiscount: Generated<number>
  taxRateBps: number
  taxInclusive: boolean
  taxTotal: number
  deliveryFee: number
  total: number
  paidTotal: number
  changeTotal: number
  refundedGoods: Generated<number>
  refundedTax: Generated<number>
  refundedDeliveryFee: Generated<number>
  pointsEarned: Generated<number>
  loyaltyRupiahPerPoint: number | null
  discountCode: string | null
  redeemPoints: number | null
  deliveryDraft: JsonColumn
  deliveryStatus: string | null
  shipmentId: string | null
  kitchenOpen: Generated<boolean>
  version: Generated<number>
  cashierId: string
  createdAt: string
  updatedAt: string
  completedAt: string | null
  voidedAt: string | null
  voidReason: string | null
  approvedBy: string | null
  offlineRef: string | null
  serviceChargeBps: number | null
  serviceChargeBaseKind: 'AFTER_DISCOUNT' | 'BEFORE_DISCOUNT' | null
  serviceChargeTaxable: boolean | null
  serviceChargeBase: number | null
  serviceChargeAmount: number | null
  serviceChargeTax: number | null
  serviceChargeWaived: Generated<boolean>
  taxes: JsonColumn
  cashRounding: JsonColumn
  roundingTotal: Generated<number>
  refundedService: Generated<number>
  channel: string | null
  promotions: JsonColumn
  voucherCodes: JsonColumn
}

/** The request that used the reference of an offline sale first. */
export type OfflineSalesRow = {
  accountId: string
  ref: string
  fingerprint: string
  createdAt: string
}

/** A public address of a receipt (0160_receipt_links.sql). */
export type ReceiptLinksRow = {
  accountId: string
  id: string
  saleId: string
  tokenHash: string
  createdAt: string
  expiresAt: string
}

export type SaleItemsRow = {
  accountId: string
  saleId: string
  id: string
  position: number
  variantId: string | null
  productId: string | null
  productName: string
  variantName: string
  sku: string | null
  quantity: number
  unitPrice: number
  modifiers: JsonColumn
  modifiersTotal: Generated<number>
  discount: number
  orderDiscountShare: number
  taxAmount: number
  lineTotal: number
  taxRateBps: number | null
  serviceShare: Generated<number>
  priceListId: string | null
  promotions: JsonColumn
  promotionShare: Generated<number>
  note: string | null
  refundedQty: Generated<number>
  refundedValue: Generated<number>
  refundedTax: Generated<number>
  restockedQty: Generated<number>
  movedStock: Generated<boolean>
  components: JsonColumn
  batches: JsonColumn
  pack: JsonColumn
  soldBy: 'WEIGHT' | null
  labelPrice: number | null
  station: string | null
  kitchenStatus: Generated<'NEW' | 'PREPARING' | 'READY' | 'SERVED'>
  kitchenUpdatedAt: string | null
  isActive: Generated<boolean>
  cancelledQty: Generated<number>
  createdAt: string
  updatedAt: string
}

export type PriceListsRow = {
  accountId: string
  id: string
  name: string
  priority: number
  isActive: boolean
  outletIds: string[] | null
  orderTypes: string[] | null
  channels: string[] | null
  customerGroupIds: string[] | null
  weekdays: number[] | null
  fromTime: string | null
  toTime: string | null
  startsAt: string | null
  endsAt: string | null
  entries: JsonColumn
  createdAt: string
  updatedAt: string
}

export type PromotionsRow = {
  accountId: string
  id: string
  name: string
  priority: number
  isActive: boolean
  stackable: boolean
  kind: 'PERCENT' | 'AMOUNT' | 'BUY_X_GET_Y' | 'BUNDLE'
  percentBps: number | null
  amount: number | null
  buyQuantity: number | null
  getQuantity: number | null
  bundle: JsonColumn
  bundlePrice: number | null
  variantIds: string[] | null
  categoryIds: string[] | null
  minSpend: number | null
  code: string | null
  codeKey: string | null
  usageLimit: number | null
  usedCount: Generated<number>
  oncePerCustomer: boolean
  outletIds: string[] | null
  orderTypes: string[] | null
  channels: string[] | null
  customerGroupIds: string[] | null
  weekdays: number[] | null
  fromTime: string | null
  toTime: string | null
  startsAt: string | null
  endsAt: string | null
  createdAt: string
  updatedAt: string
}

export type PromotionUsesRow = {
  accountId: string
  promotionId: string
  saleId: string
  customerId: string | null
  createdAt: string
}

export type PaymentsRow = {
  accountId: string
  saleId: string
  id: string
  method: 'CASH' | 'QRIS' | 'VA' | 'CARD' | 'TRANSFER' | 'GIFT_CARD' | 'CREDIT' | 'OTHER'
  amount: number
  tendered: number | null
  change: Generated<number>
  rounding: Generated<number>
  reference: string | null
  providerRef: string | null
  status: 'PENDING' | 'PAID' | 'FAILED'
  verified: Generated<boolean>
  applied: Generated<boolean>
  giftCardId: string | null
  sessionId: string | null
  shiftId: string | null
  refundedAmount: Generated<number>
  paidAt: string | null
  corrections: JsonColumn
  dueDate: string | null
  createdAt: string
  updatedAt: string
}

export type CustomerCreditEntriesRow = {
  accountId: string
  id: string
  customerId: string
  type: 'CHARGE' | 'PAYMENT' | 'REVERSAL'
  amount: number
  open: number
  balanceAfter: number
  dueDate: string | null
  saleId: string | null
  paymentId: string | null
  refundId: string | null
  outletId: string
  shiftId: string | null
  method: 'CASH' | 'QRIS' | 'VA' | 'CARD' | 'TRANSFER' | 'OTHER' | null
  actorId: string
  approvedBy: string | null
  createdAt: string
  updatedAt: string
}

export type RefundsRow = {
  accountId: string
  id: string
  saleId: string
  kind: Generated<'REFUND' | 'VOID' | 'DISCARD'>
  amount: number
  goods: number
  tax: number
  service: Generated<number>
  deliveryFee: number
  rounding: Generated<number>
  taxes: JsonColumn
  method: string | null
  restock: Generated<boolean>
  giftCardId: string | null
  reason: string | null
  shiftId: string | null
  actorId: string
  approvedBy: string | null
  createdAt: string
  updatedAt: string
}

export type RefundLinesRow = {
  accountId: string
  refundId: string
  saleId: string
  itemId: string
  qty: number
  amount: number
  tax: number
  service: Generated<number>
}

export type RefundTendersRow = {
  accountId: string
  refundId: string
  position: number
  method: string
  amount: number
  paymentId: string | null
  giftCardId: string | null
}

export type LoyaltyEntriesRow = {
  accountId: string
  id: string
  customerId: string
  type: 'EARN' | 'REDEEM' | 'ADJUST' | 'REVERSE'
  points: number
  balanceAfter: number
  transactionId: string | null
  refundId: string | null
  reason: string | null
  actorId: string
  createdAt: string
  updatedAt: string
}

export type GiftCardsRow = {
  accountId: string
  id: string
  code: string
  codeKey: string
  kind: 'GIFT_CARD' | 'STORE_CREDIT'
  initialAmount: number
  balance: number
  status: 'ACTIVE' | 'REDEEMED' | 'VOIDED'
  customerId: string | null
  note: string | null
  sourceRefundId: string | null
  createdAt: string
  updatedAt: string
  voidedAt: string | null
  partnerPlace: string | null
  partnerCardId: string | null
  partnerAt: string | null
}

export type GiftCardMovesRow = {
  accountId: string
  id: string
  kind: 'DEBIT' | 'CREDIT' | 'ISSUE'
  giftCardId: string | null
  partnerPlace: string
  partnerCardId: string | null
  amount: number
  asked: string
  requestKey: string | null
  slot: string | null
  state: 'ASKED' | 'HELD' | 'RETURNING' | 'OWED' | 'REFUSED' | 'EXPIRED'
  /** Since when the partner may have carried it out without a known answer. */
  sentAt: string | null
  balanceAfter: number | null
  answeredAt: string | null
  tries: Generated<number>
  dueAt: string
  createdAt: string
  updatedAt: string
}

export type GiftCardEntriesRow = {
  accountId: string
  id: string
  giftCardId: string
  type: 'ISSUE' | 'REDEEM' | 'REFUND' | 'VOID'
  amount: number
  balanceAfter: number
  transactionId: string | null
  paymentId: string | null
  refundId: string | null
  createdAt: string
  updatedAt: string
}

export type GiftCardMissesRow = {
  accountId: string
  actorId: string
  id: string
  missedAt: string
}

export type SalePromotionsRow = {
  accountId: string
  id: string
  request: string | null
  saleId: string | null
  wanted: 'reserved' | 'redeemed' | 'released'
  /** The customer whose `points` the partner has given to the sale. */
  customerId: string | null
  points: Generated<number>
  dueAt: string | null
  attempts: number
  createdAt: string
  updatedAt: string
}

export type SalesTables = {
  salePromotions: SalePromotionsRow
  outletDays: OutletDaysRow
  sales: SalesRow
  offlineSales: OfflineSalesRow
  receiptLinks: ReceiptLinksRow
  priceLists: PriceListsRow
  promotions: PromotionsRow
  promotionUses: PromotionUsesRow
  saleItems: SaleItemsRow
  payments: PaymentsRow
  refunds: RefundsRow
  refundLines: RefundLinesRow
  refundTenders: RefundTendersRow
  loyaltyEntries: LoyaltyEntriesRow
  customerCreditEntries: CustomerCreditEntriesRow
  giftCards: GiftCardsRow
  giftCardEntries: GiftCardEntriesRow
  giftCardMisses: GiftCardMissesRow
  giftCardMoves: GiftCardMovesRow
}
