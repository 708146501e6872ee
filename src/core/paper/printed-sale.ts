import type { PricedItem, TaxGroup } from '../sale-totals.ts'

/** A sale as its receipt prints it: the record of the service, or what a till knows of a sale that it made. */
export type PrintedItem = Omit<PricedItem, 'modifiers'> & {
  id: string
  isActive: boolean
  productName: string
  variantName: string
  modifiers: readonly { name: string; price: number }[]
  promotionShare: number
  labelPrice: number | null
  pack: { name: string } | null
  soldBy: 'UNIT' | 'WEIGHT' | null
}

export type PrintedPayment = {
  method: string
  status: string
  applied: boolean
  amount: number
  rounding: number
  change: number
  reference?: string | null
}

export type PrintedRefund = {
  createdAt: string
  amount: number
  rounding: number
  split: { deliveryFee: number }
  lines: readonly { transactionItemId: string; qty: number; amount: number }[]
  tenders: readonly { method: string; amount: number }[]
}

type PrintedOutlet = {
  name: string
  address: string | null
  phone: string | null
  receiptHeader: string | null
  receiptFooter: string | null
}

export type PrintedSale = {
  number: string
  status: string
  refundStatus: string
  createdAt: string
  completedAt: string | null
  voidedAt: string | null
  voidReason: string | null
  outlet: PrintedOutlet
  orderType: 'DINE_IN' | 'TAKEAWAY' | 'DELIVERY' | null
  table?: { label: string } | null
  customer?: { name: string } | null
  items: readonly PrintedItem[]
  subtotal: number
  discountTotal: number
  promoDiscount: number
  discountCode: string | null
  promotions: readonly { name: string; amount: number }[]
  serviceCharge: { bps: number; amount: number; tax: number } | null
  taxRateBps: number
  taxInclusive: boolean
  taxes: readonly TaxGroup[]
  deliveryFee: number
  total: number
  roundingTotal: number
  payments: readonly PrintedPayment[]
  changeTotal: number
  remaining: number
  refunds: readonly PrintedRefund[]
  refundedTotal: number
}
