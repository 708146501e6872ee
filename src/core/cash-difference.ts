/**
 * Ranks what may explain the difference between the cash counted in a drawer and the cash expected (B-shift-2). Only
 * mistakes that explain the whole difference to the rupiah are listed. All amounts are whole rupiah.
 */
import { msBetween } from './time.ts'

/** A payment of a completed sale of the shift. `amount` is what it added to the sale, after cash rounding. */
export type DrawerPayment = {
  id: string
  method: string
  amount: number
  /** UTC instant in ISO 8601. */
  paidAt: string
  /** Equal for two sales of the same goods in the same quantities. */
  goods: string
  /** False if a partner confirmed the payment, so its method cannot be wrong. */
  isManual: boolean
}
/** Cash that a refund or a void took out of the drawer. */
export type DrawerRefund = { id: string; amount: number }
export type DrawerMovement = { id: string; direction: 'IN' | 'OUT'; amount: number }

export type DrawerRecord = {
  openingFloat: number
  expected: number
  counted: number
  payments: readonly DrawerPayment[]
  refunds: readonly DrawerRefund[]
  movements: readonly DrawerMovement[]
}

/** `candidates` are ids of payments, refunds or movements, the most suspicious first. */
export type Explanation =
  /** The sale was rung up twice: `candidates` are the later ones of each pair. */
  | { kind: 'RUNG_TWICE'; candidates: string[] }
  /** A cash payment was really paid in another way. */
  | { kind: 'NOT_PAID_IN_CASH'; candidates: string[] }
  /** A payment that was recorded with another method was paid in cash. */
  | { kind: 'PAID_IN_CASH'; candidates: string[] }
  | { kind: 'REFUND_NOT_PAID_OUT'; candidates: string[] }
  | { kind: 'MOVEMENT_RECORDED_TWICE'; candidates: string[] }
  /** Money paid in was recorded as paid out, or the other way round. */
  | { kind: 'MOVEMENT_REVERSED'; candidates: string[] }
  /** Two neighbouring digits of an amount that a person typed were swapped; `intended` is the right amount. */
  | { kind: 'DIGITS_SWAPPED'; entry: TypedEntry; intended: number }
  /** An amount that a person typed has a zero too many or too few; `intended` is the right amount. */
  | { kind: 'ZERO_TOO_MANY_OR_FEW'; entry: TypedEntry; intended: number }

/** An amount that a person typed: the count, the opening float, or the movement with this id. */
export type TypedEntry = 'counted' | 'openingFloat' | { movementId: string }

const RUNG_TWICE_WITHIN_MS = 15 * 60_000

/**
 * Explanations of `counted - expected`, the most likely first; none if there is no difference. Each kind appears at
 * most once for payments, refunds and movements, with all its candidates, and once for each mistyped amount.
 */
export function explainCashDifference(drawer: DrawerRecord): Explanation[] {
  const difference = drawer.counted - drawer.expected
  if (difference === 0) return []
  const mistyped = mistypedAmounts(drawer, difference)
  return [
    ...listed('RUNG_TWICE', salesRungTwice(drawer.payments, -difference)),
    ...mistyped.filter(({ kind }) => kind === 'DIGITS_SWAPPED'),
    ...listed('MOVEMENT_RECORDED_TWICE', movementsRecordedTwice(drawer.movements, difference)),
    ...listed('MOVEMENT_REVERSED', movementsReversed(drawer.movements, difference)),
    ...mistyped.filter(({ kind }) => kind === 'ZERO_TOO_MANY_OR_FEW'),
    ...listed('REFUND_NOT_PAID_OUT', idsWithAmount(drawer.refunds, difference)),
    ...listed('PAID_IN_CASH', idsWithAmount(drawer.payments.filter(mayBeCash), difference)),
    ...listed('NOT_PAID_IN_CASH', idsWithAmount(drawer.payments.filter(isCash), -difference)),
  ]
}

type ListedKind = Extract<Explanation, { candidates: string[] }>['kind']
const listed = (kind: ListedKind, candidates: string[]): Explanation[] =>
  candidates.length === 0 ? [] : [{ kind, candidates }]

const isCash = ({ method }: DrawerPayment) => method === 'CASH'
const mayBeCash = (payment: DrawerPayment) => payment.isManual && !isCash(payment)

const idsWithAmount = (records: readonly { id: string; amount: number }[], amount: number): string[] =>
  records.filter((record) => record.amount === amount).map(({ id }) => id)

/** The later cash payment of each pair with the same goods and amount; pairs closest in time come first. */
function salesRungTwice(payments: readonly DrawerPayment[], amount: number): string[] {
  const alike = payments.filter((payment) => isCash(payment) && payment.amount === amount)
  const inOrder = alike.toSorted((a, b) => a.paidAt.localeCompare(b.paidAt))
  return inOrder
    .flatMap((later, index) => {
      const earlier = inOrder.slice(0, index).findLast(({ goods }) => goods === later.goods)
      if (!earlier) return []
      const apartMs = msBetween(earlier.paidAt, later.paidAt)
      return apartMs <= RUNG_TWICE_WITHIN_MS ? [{ id: later.id, apartMs }] : []
    })
    .toSorted((a, b) => a.apartMs - b.apartMs)
    .map(({ id }) => id)
}

/** The amount that a movement adds to the expected cash. */
const effectOf = ({ direction, amount }: DrawerMovement) => (direction === 'IN' ? amount : -amount)

/** The later of two equal movements, if taking one away explains the difference. */
const movementsRecordedTwice = (movements: readonly DrawerMovement[], difference: number): string[] =>
  movements
    .filter(
      (movement, index) =>
        effectOf(movement) === -difference &&
        movements
          .slice(0, index)
          .some(({ direction, amount }) => direction === movement.direction && amount === movement.amount),
    )
    .map(({ id }) => id)

const movementsReversed = (movements: readonly DrawerMovement[], difference: number): string[] =>
  movements.filter((movement) => -2 * effectOf(movement) === difference).map(({ id }) => id)

/** Every typed amount that explains the difference if its digits are put right. */
function mistypedAmounts(drawer: DrawerRecord, difference: number): Explanation[] {
  const { counted, openingFloat, movements } = drawer
  const entries: { entry: TypedEntry; typed: number; intended: number }[] = [
    { entry: 'counted', typed: counted, intended: counted - difference },
    { entry: 'openingFloat', typed: openingFloat, intended: openingFloat + difference },
    ...movements.map(({ id, direction, amount }) => ({
      entry: { movementId: id },
      typed: amount,
      intended: direction === 'IN' ? amount + difference : amount - difference,
    })),
  ]
  return entries.flatMap(({ entry, typed, intended }): Explanation[] => {
    if (hasSwappedDigits(typed, intended)) return [{ kind: 'DIGITS_SWAPPED', entry, intended }]
    if (differsByZero(typed, intended)) return [{ kind: 'ZERO_TOO_MANY_OR_FEW', entry, intended }]
    return []
  })
}

/** True if swapping two neighbouring digits of one amount gives the other. */
function hasSwappedDigits(typed: number, intended: number): boolean {
  if (typed <= 0 || intended <= 0 || typed === intended) return false
  const [a, b] = [String(typed), String(intended)]
  if (a.length !== b.length) return false
  const first = [...a].findIndex((digit, index) => digit !== b[index])
  const swapped = a.slice(0, first) + a.charAt(first + 1) + a.charAt(first) + a.slice(first + 2)
  return swapped === b
}

const differsByZero = (typed: number, intended: number): boolean =>
  typed > 0 && intended > 0 && (typed === intended * 10 || intended === typed * 10)
