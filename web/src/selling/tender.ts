import { type CashRounding, roundCash } from '../core.ts'

/** Which money pays a sale. Pure. */

export const METHODS = ['CASH', 'QRIS', 'CARD', 'VA', 'TRANSFER', 'GIFT_CARD', 'OTHER'] as const
/** CREDIT is not among those that every sale offers: it needs a customer with a limit. */
export type Method = (typeof METHODS)[number] | 'CREDIT'

/**
 * `amount` is applied to the sale; `tendered` is the cash handed over, null for every other method. `rounding` is the
 * cash due less the amount (B-rounding-2).
 */
export type Tender = {
  method: Method
  amount: number
  tendered: number | null
  rounding?: number
  reference: string
  /** For CREDIT: the day on which it is due. */
  dueDate?: string
}

/** The service alone knows a card's balance, and what a customer owes. */
export const isOnlyAtService = (method: Method): boolean => method === 'GIFT_CARD' || method === 'CREDIT'

export type TenderStep =
  | { kind: 'complete'; tenders: readonly Tender[]; change: number }
  | { kind: 'part'; tenders: readonly Tender[] }
  | { kind: 'refused'; reason: 'below' | 'above' | 'nothing' | 'code' }

export const paidBy = (tenders: readonly Tender[]): number =>
  tenders.reduce((total, { amount }) => total + amount, 0)

type TenderRequest = {
  due: number
  /** How cash that completes the sale is rounded. */
  cashRounding: CashRounding
  taken: readonly Tender[]
  method: Method
  /** The amount typed as received; null means exactly the remaining amount. */
  received: number | null
  reference?: string
  dueDate?: string
  /** The cashier asked for another payment after this one, so cash may be a part. */
  isPart?: boolean
}

/** Cash of at least the rounded amount due completes the sale; less is a part payment if the cashier chose one. */
function takeCash(
  remaining: number,
  { cashRounding, taken, received, isPart = false }: TenderRequest,
): TenderStep {
  const cashDue = roundCash(remaining, cashRounding)
  const tendered = received ?? cashDue
  if (remaining === 0) return { kind: 'complete', tenders: taken, change: 0 }
  if (tendered >= cashDue && (tendered > 0 || received === null)) {
    const tender = {
      method: 'CASH' as const,
      amount: remaining,
      tendered,
      rounding: cashDue - remaining,
      reference: '',
    }
    return { kind: 'complete', tenders: [...taken, tender], change: tendered - cashDue }
  }
  if (tendered <= 0) return { kind: 'refused', reason: 'nothing' }
  // What remains is completed by the rounded amount only.
  if (!isPart || tendered >= remaining) return { kind: 'refused', reason: 'below' }
  return {
    kind: 'part',
    tenders: [...taken, { method: 'CASH', amount: tendered, tendered, rounding: 0, reference: '' }],
  }
}

/** Takes one more tender: it completes the sale, is a part of it, or is refused. */
export function takeTender(request: TenderRequest): TenderStep {
  const { due, taken, method, received, reference = '', dueDate = '' } = request
  const remaining = due - paidBy(taken)
  const amount = received ?? remaining
  // More was taken than the cart costs now: some of it is removed first.
  if (remaining < 0) return { kind: 'refused', reason: 'above' }
  if (remaining === 0 && amount === 0) return { kind: 'complete', tenders: taken, change: 0 }
  if (method === 'CASH') return takeCash(remaining, request)
  if (amount <= 0) return { kind: 'refused', reason: 'nothing' }
  if (method === 'GIFT_CARD' && reference === '') return { kind: 'refused', reason: 'code' }
  if (amount > remaining) return { kind: 'refused', reason: 'above' }
  const tenders = [...taken, { method, amount, tendered: null, reference, ...(dueDate && { dueDate }) }]
  return amount < remaining ? { kind: 'part', tenders } : { kind: 'complete', tenders, change: 0 }
}

const NOTES = [5_000, 10_000, 20_000, 50_000, 100_000]
const MOST_SUGGESTIONS = 3

/** Round amounts above the amount due that a customer is likely to hand over, in rising order. */
export function quickCash(due: number): number[] {
  const rounded = NOTES.map((note) => (Math.floor(due / note) + 1) * note)
  return [...new Set(rounded)].sort((a, b) => a - b).slice(0, MOST_SUGGESTIONS)
}
