import { ERRORS, type ErrorCode } from '../../core/errors.ts'
import { isUnsafe } from '../../core/methods.ts'
import type { Module } from '../../core/modules.ts'
import { REFUSALS_OF_PARTNERS } from '../partners/answer.ts'
import { isClosedToSome } from './delegable.ts'
import { authOf, isKeyed, type Route, roleOf } from './route.ts'

/** The error codes of a route, by status. */
export type Refusals = ReadonlyMap<number, readonly ErrorCode[]>

export const DISABLED = {
  payment: 'PAYMENT_MODULE_DISABLED',
  fulfillment: 'FULFILLMENT_MODULE_DISABLED',
  marketing: 'MARKETING_MODULE_DISABLED',
} as const satisfies Record<Module, ErrorCode>

const ANYWHERE: readonly ErrorCode[] = ['RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']
const OF_A_PARTNER: readonly ErrorCode[] = ['PARTNER_ERROR', 'PARTNER_TIMEOUT']
const OF_A_WRITE: readonly ErrorCode[] = ['CONFLICT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

/**
 * Every error code that a caller must handle, by status: those the row's options imply, and those its handler adds
 * (`document.refuses`; B-answer-11). In tests a route that throws another code fails (`error-handler.ts`).
 */
export function refusalsOf(row: Route): Refusals {
  const found = new Map<number, Set<ErrorCode>>()
  const add = (status: number, codes: readonly ErrorCode[]) => {
    found.set(status, new Set([...(found.get(status) ?? []), ...codes]))
  }
  for (const code of impliedBy(row)) add(ERRORS[code].status, [code])
  // A value outside its own bounds is 400; one within them may still conflict with others, which is 422 (B-request-3).
  add(400, ['VALIDATION_ERROR'])
  if (isUnsafe(row.method) || row.query) add(422, ['VALIDATION_ERROR'])
  if (asksPartner(row)) {
    for (const [status, codes] of Object.entries(REFUSALS_OF_PARTNERS)) add(Number(status), codes)
  }
  for (const code of row.document?.refuses ?? []) add(ERRORS[code].status, [code])
  const order = Object.keys(ERRORS)
  const sorted = (codes: ReadonlySet<ErrorCode>) =>
    [...codes].sort((one, other) => order.indexOf(one) - order.indexOf(other))
  return new Map(
    [...found].sort(([one], [other]) => one - other).map(([status, codes]) => [status, sorted(codes)]),
  )
}

const asksPartner = ({ access }: Route) => access === 'forward' || access === 'partner'

/** Whether the request may name a record that is not there, by a path or by an `Id`. */
const namesRecords = ({ path, query, body }: Route) =>
  path.includes('{') || JSON.stringify([query, body]).includes('"title":"Id"')

function impliedBy(row: Route): ErrorCode[] {
  const isWrite = isUnsafe(row.method)
  return [
    ...ANYWHERE,
    ...impliedByGate(row),
    ...(asksPartner(row) || row.errands ? OF_A_PARTNER : []),
    ...(namesRecords(row) ? (['NOT_FOUND'] as const) : []),
    ...(isWrite ? OF_A_WRITE : []),
    ...(isKeyed(row) ? (['IDEMPOTENCY_KEY_IN_USE'] as const) : []),
  ]
}

/** The errors that `gate.ts` throws. */
function impliedByGate(row: Route): ErrorCode[] {
  const auth = authOf(row)
  const isWrite = isUnsafe(row.method)
  if (auth === 'signature') return ['INVALID_SIGNATURE']
  // Browser routes state themselves whether they require a session.
  if (auth === 'session') return isWrite ? ['FORBIDDEN'] : []
  if (auth === 'none') return []
  const isForAll = !isWrite && roleOf(row) === 'CASHIER' && !isClosedToSome(row)
  return [
    'AUTH_REQUIRED',
    'SECOND_FACTOR_NOT_SET_UP',
    ...(isForAll ? [] : (['FORBIDDEN'] as const)),
    ...(row.approvals === undefined ? [] : (['APPROVAL_REQUIRED'] as const)),
    ...(row.module === undefined ? [] : [DISABLED[row.module]]),
  ]
}
