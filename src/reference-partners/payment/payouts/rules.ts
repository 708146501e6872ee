import { conflict } from '../../../core/errors.ts'
import type { PAYOUT_STATUSES } from './schema.ts'

type Status = (typeof PAYOUT_STATUSES)[number]

/** Where a payout may go from each state. */
const NEXT: Record<Status, readonly Status[]> = {
  pending: ['processing', 'canceled'],
  processing: ['paid', 'failed'],
  paid: [],
  failed: [],
  canceled: [],
}

/** 409 for a step that a payout does not take. */
export function requireStep(from: Status, to: Status) {
  if (NEXT[from].includes(to)) return
  const may = NEXT[from].length === 0 ? 'it has ended' : `it may become ${NEXT[from].join(' or ')}`
  throw conflict(`A payout that is ${from} cannot become ${to}: ${may}`)
}
