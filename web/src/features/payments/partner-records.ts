import {
  amountIn,
  dayFieldIn,
  idIn,
  instantIn,
  linkIn,
  numberIn,
  type PartnerRecord,
  recordIn,
  recordsIn,
  textIn,
} from '../../office/partner-data.ts'

// Records of the payment partner. The service forwards them unchanged, so each field is checked here: a field that is
// missing or has another type becomes null, an empty text or an empty list.

const optionalTextIn = (record: PartnerRecord, name: string): string | null => textIn(record, name) || null

/** An amount in minor units of its currency; null if the partner sent none. */
type Amount = number | null

const currencyIn = (record: PartnerRecord): string => textIn(record, 'currency') || 'IDR'

export type CheckoutSession = ReturnType<typeof readSession>
export const readSession = (record: PartnerRecord) => ({
  id: idIn(record),
  amount: amountIn(record, 'amount'),
  currency: currencyIn(record),
  method: textIn(record, 'method'),
  status: textIn(record, 'status'),
  description: optionalTextIn(record, 'description'),
  hostedUrl: linkIn(record, 'hostedUrl'),
  qrString: optionalTextIn(record, 'qrString'),
  vaNumber: optionalTextIn(record, 'vaNumber'),
  vaBank: optionalTextIn(record, 'vaBank'),
  paidAt: instantIn(record, 'paidAt'),
  expiresAt: instantIn(record, 'expiresAt'),
  createdAt: instantIn(record, 'createdAt'),
})

export type PartnerCustomer = ReturnType<typeof readCustomer>
export const readCustomer = (record: PartnerRecord) => ({
  id: idIn(record),
  name: textIn(record, 'name'),
  email: optionalTextIn(record, 'email'),
  phone: optionalTextIn(record, 'phone'),
})

export type Price = { id: string; amount: Amount; currency: string; interval: string; active: boolean }
export type Plan = ReturnType<typeof readPlanRecord>
export const readPlanRecord = (record: PartnerRecord) => ({
  id: idIn(record),
  name: textIn(record, 'name'),
  active: record['active'] === true,
  prices: recordsIn(record, 'prices')
    .filter((price) => idIn(price) !== '')
    .map(
      (price): Price => ({
        id: idIn(price),
        amount: amountIn(price, 'amount'),
        currency: currencyIn(price),
        interval: textIn(price, 'interval'),
        active: price['active'] === true,
      }),
    ),
})

export type Subscription = ReturnType<typeof readSubscription>
export const readSubscription = (record: PartnerRecord) => ({
  id: idIn(record),
  customerId: textIn(record, 'customerId'),
  priceId: textIn(record, 'priceId'),
  status: textIn(record, 'status'),
  currentPeriodStart: instantIn(record, 'currentPeriodStart'),
  currentPeriodEnd: instantIn(record, 'currentPeriodEnd'),
  cancelAtPeriodEnd: record['cancelAtPeriodEnd'] === true,
  canceledAt: instantIn(record, 'canceledAt'),
  latestInvoiceId: optionalTextIn(record, 'latestInvoiceId'),
})

export type Invoice = ReturnType<typeof readInvoice>
export const readInvoice = (record: PartnerRecord) => ({
  id: idIn(record),
  number: textIn(record, 'number') || idIn(record),
  customerName: textIn(record, 'customerName') || '–',
  status: textIn(record, 'status'),
  lines: recordsIn(record, 'lines').map((line, at) => ({
    at,
    description: textIn(line, 'description') || '–',
    quantity: numberIn(line, 'quantity'),
    unitAmount: amountIn(line, 'unitAmount'),
    amount: amountIn(line, 'amount'),
  })),
  total: amountIn(record, 'total'),
  currency: currencyIn(record),
  dueDate: dayFieldIn(record, 'dueDate'),
  paidAt: instantIn(record, 'paidAt'),
  createdAt: instantIn(record, 'createdAt'),
})

export type Receipt = ReturnType<typeof readReceipt>
export const readReceipt = (record: PartnerRecord) => ({
  id: idIn(record),
  number: textIn(record, 'number') || idIn(record),
  amount: amountIn(record, 'amount'),
  currency: currencyIn(record),
  method: textIn(record, 'method'),
  description: optionalTextIn(record, 'description'),
  issuedAt: instantIn(record, 'issuedAt'),
})

export type BankAccount = { bankName: string; accountNumber: string; accountHolder: string }
/** Null if no account was entered yet. */
export function readBankAccountRecord(record: PartnerRecord): BankAccount | null {
  const account = recordIn(record, 'bankAccount')
  const [bankName, accountNumber] = [textIn(account, 'bankName'), textIn(account, 'accountNumber')]
  if (bankName === '' && accountNumber === '') return null
  return { bankName, accountNumber, accountHolder: textIn(account, 'accountHolder') }
}

export type Payout = ReturnType<typeof readPayout>
export const readPayout = (record: PartnerRecord) => {
  const account = recordIn(record, 'bankAccount')
  return {
    id: idIn(record),
    amount: amountIn(record, 'amount'),
    currency: currencyIn(record),
    status: textIn(record, 'status'),
    bankName: textIn(account, 'bankName') || '–',
    accountLast4: textIn(account, 'accountLast4'),
    accountHolder: textIn(account, 'accountHolder') || '–',
    failureReason: optionalTextIn(record, 'failureReason'),
    paidAt: instantIn(record, 'paidAt'),
    createdAt: instantIn(record, 'createdAt'),
  }
}

export type LedgerEntry = ReturnType<typeof readEntry>
export const readEntry = (record: PartnerRecord) => ({
  id: idIn(record),
  type: textIn(record, 'type'),
  amount: amountIn(record, 'amount'),
  currency: currencyIn(record),
  balanceAfter: amountIn(record, 'balanceAfter'),
  sourceId: textIn(record, 'sourceId'),
  createdAt: instantIn(record, 'createdAt'),
})
