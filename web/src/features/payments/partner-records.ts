/** Records of the payment partner. The service forwards them unchanged, so that its client has no types for them. */
export type Currency = 'IDR' | 'USD'

export type CheckoutSession = {
  id: string
  amount: number
  currency: Currency
  method: string
  status: string
  description: string | null
  hostedUrl: string
  qrString: string | null
  vaNumber: string | null
  vaBank: string | null
  paidAt: string | null
  expiresAt: string
  createdAt: string
}

export type PartnerCustomer = { id: string; name: string; email: string | null; phone: string | null }

export type Price = {
  id: string
  amount: number
  currency: Currency
  interval: 'month' | 'year'
  active: boolean
}
export type Plan = { id: string; name: string; active: boolean; prices: readonly Price[] }

export type Subscription = {
  id: string
  customerId: string
  priceId: string
  status: string
  currentPeriodStart: string
  currentPeriodEnd: string
  cancelAtPeriodEnd: boolean
  canceledAt: string | null
  latestInvoiceId: string
}

export type Invoice = {
  id: string
  number: string
  customerName: string
  status: string
  lines: readonly { description: string; quantity: number; unitAmount: number; amount: number }[]
  total: number
  currency: Currency
  dueDate: string
  paidAt: string | null
  createdAt: string
}

export type Receipt = {
  id: string
  number: string
  sessionId: string
  amount: number
  currency: Currency
  method: string
  description: string | null
  issuedAt: string
}

export type BankAccount = { bankName: string; accountNumber: string; accountHolder: string }

export type Payout = {
  id: string
  amount: number
  currency: Currency
  status: string
  bankAccount: { bankName: string; accountLast4: string; accountHolder: string }
  failureReason: string | null
  paidAt: string | null
  createdAt: string
}

export type LedgerEntry = {
  id: string
  type: string
  amount: number
  currency: Currency
  balanceAfter: number
  sourceId: string
  createdAt: string
}

export type CashFlow = {
  opening: number
  payments: number
  fees: number
  payouts: number
  returned: number
  closing: number
  days: readonly {
    day: string
    payments: number
    fees: number
    payouts: number
    returned: number
    net: number
  }[]
}

export type ProfitAndLoss = {
  payments: number
  gross: number
  fees: number
  net: number
  byMethod: readonly { method: string; payments: number; gross: number; fees: number; net: number }[]
}
