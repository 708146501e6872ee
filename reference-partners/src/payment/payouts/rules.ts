import { conflict } from 'kasir/partner-tools'
import type { PAYOUT_STATUSES } from './schema.ts'

type Status = (typeof PAYOUT_STATUSES)[number]

/** The states that may follow each state of a payout. */
const NEXT: Record<Status, readonly Status[]> = {
  pending: ['processing', 'canceled'],
  processing: ['paid', 'failed'],
  paid: [],
  failed: [],
  canceled: [],
}

/** Throws 409 if a payout may not change to that state. */
export function requireStep(from: Status, to: Status) {
  if (NEXT[from].includes(to)) return
  const may = NEXT[from].length === 0 ? 'it has ended' : `it may become ${NEXT[from].join(' or ')}`
  throw conflict(`A payout that is ${from} cannot become ${to}: ${may}`)
}
