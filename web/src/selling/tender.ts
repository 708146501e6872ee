/** Which money pays a sale. Pure. */

export const METHODS = ['CASH', 'QRIS', 'CARD', 'VA', 'TRANSFER', 'GIFT_CARD', 'OTHER'] as const
export type Method = (typeof METHODS)[number]

/** `amount` is applied to the sale; `tendered` is the cash handed over, null for every other method. */
export type Tender = { method: Method; amount: number; tendered: number | null; reference: string }

export type TenderStep =
  | { kind: 'complete'; tenders: readonly Tender[]; change: number }
  | { kind: 'part'; tenders: readonly Tender[] }
  | { kind: 'refused'; reason: 'below' | 'above' | 'nothing' | 'code' }

export const paidBy = (tenders: readonly Tender[]): number =>
  tenders.reduce((total, { amount }) => total + amount, 0)

type TenderRequest = {
  due: number
  taken: readonly Tender[]
  method: Method
  /** What was typed as received; null means exactly what remains. */
  received: number | null
  reference?: string
  /** The cashier asked for another payment after this one, so cash may be a part. */
  isPart?: boolean
}

/** Takes one more tender: it completes the sale, is a part of it, or is refused. */
export function takeTender({
  due,
  taken,
  method,
  received,
  reference = '',
  isPart = false,
}: TenderRequest): TenderStep {
  const remaining = due - paidBy(taken)
  const amount = received ?? remaining
  if (remaining === 0 && amount === 0) return { kind: 'complete', tenders: taken, change: 0 }
  if (amount <= 0) return { kind: 'refused', reason: 'nothing' }
  if (method === 'GIFT_CARD' && reference === '') return { kind: 'refused', reason: 'code' }
  const isCash = method === 'CASH'
  if (amount > remaining && !isCash) return { kind: 'refused', reason: 'above' }
  if (amount < remaining && isCash && !isPart) return { kind: 'refused', reason: 'below' }
  const tender = { method, amount: Math.min(amount, remaining), tendered: isCash ? amount : null, reference }
  const tenders = [...taken, tender]
  return amount < remaining
    ? { kind: 'part', tenders }
    : { kind: 'complete', tenders, change: amount - remaining }
}

const NOTES = [5_000, 10_000, 20_000, 50_000, 100_000]
const MOST_SUGGESTIONS = 3

/** Round amounts that a customer is likely to hand over: above what is due, in rising order. */
export function quickCash(due: number): number[] {
  const rounded = NOTES.map((note) => (Math.floor(due / note) + 1) * note)
  return [...new Set(rounded)].sort((a, b) => a - b).slice(0, MOST_SUGGESTIONS)
}
