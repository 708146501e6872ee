import { mulDivFloor } from '../../../core/money.ts'
import { addMs } from '../../../core/time.ts'
import type { Warning } from './schema.ts'

/** The promotion of a sale: a code, points, or both; never neither. */
export type PromotionRequest = { discountCode: string | null; redeemPoints: number | null }

/**
 * Reads the code and points of a request. Returns null if it has neither. An empty text and 0 points count as absent.
 */
export function promotionRequestIn(sent: {
  discountCode?: string | null | undefined
  redeemPoints?: number | null | undefined
}): PromotionRequest | null {
  const discountCode = sent.discountCode || null
  const redeemPoints = sent.redeemPoints || null
  return discountCode === null && redeemPoints === null ? null : { discountCode, redeemPoints }
}

/** The partner's answer; amounts in rupiah. `reason` says why a part was not applied. */
export type PromotionAnswer = {
  promoDiscount: number
  discount: { reason: string | null } | null
  points: { used: number; reason: string | null } | null
}

/** Points that pay for a sale, and their customer. */
export type Redemption = { customerId: string; points: number }

type BillOwner = { customerId: string | null }

/**
 * Returns the customer whose points an edited bill redeems: the customer of the bill. Points that came with another bill in a merge stay with
 * their customer, who named them (B-points-5).
 */
export const payerAfterEdit = (
  redemption: Redemption | null,
  { before, after }: { before: BillOwner; after: BillOwner },
): string | null =>
  redemption && redemption.customerId !== before.customerId ? redemption.customerId : after.customerId

const CODE_REASONS: Readonly<Record<string, string>> = {
  UNKNOWN_CODE: 'there is no such code; check the spelling',
  INACTIVE: 'it is switched off',
  NOT_STARTED: 'it is not valid yet',
  ENDED: 'it has expired',
  BELOW_MINIMUM: 'the goods cost less than its minimum',
  USED_UP: 'it has been used up',
}
const POINTS_REASONS: Readonly<Record<string, string>> = {
  NO_CUSTOMER: 'the sale has no customer',
  NOT_ENOUGH_POINTS: 'the customer does not have that many left',
}
// Unknown reasons of a partner are not passed on, because tills show the message unchanged.
const worded = (reasons: Readonly<Record<string, string>>, reason: string) =>
  (Object.hasOwn(reasons, reason) ? reasons[reason] : undefined) ?? 'the marketing partner rejected it'

type Make = {
  code(discountCode: string): Omit<Warning, 'field'> | null
  points(redeemPoints: number): Omit<Warning, 'field'> | null
}

function warningsOf({ discountCode, redeemPoints }: PromotionRequest, make: Make): Warning[] {
  const ofCode = discountCode === null ? null : make.code(discountCode)
  const ofPoints = redeemPoints === null ? null : make.points(redeemPoints)
  return [
    ...(ofCode ? [{ code: ofCode.code, field: 'discountCode', message: ofCode.message }] : []),
    ...(ofPoints ? [{ code: ofPoints.code, field: 'redeemPoints', message: ofPoints.message }] : []),
  ]
}

/** Without the marketing module codes and points have no effect (B-sale-11). */
export const warningsWhenOff = (named: PromotionRequest): Warning[] =>
  warningsOf(named, {
    code: (discountCode) => ({
      code: 'MARKETING_MODULE_DISABLED',
      message: `The code ${discountCode} was not applied, because the marketing module is off. Use orderDiscount to lower the price`,
    }),
    points: (redeemPoints) => ({
      code: 'MARKETING_MODULE_DISABLED',
      message: `${redeemPoints} points were not redeemed, because the marketing module is off`,
    }),
  })

/** The warnings of a new sale, or of a bill whose discount of `kept` rupiah could not be checked again. */
export const warningsWithoutAnswer = (named: PromotionRequest, kept: number): Warning[] => {
  const instead =
    kept > 0
      ? `the discount of Rp ${kept} stays. Edit the bill again to check it`
      : 'try again with an open bill, or use orderDiscount to lower the price'
  return warningsOf(named, {
    code: (discountCode) => ({
      code: 'PARTNER_UNAVAILABLE',
      message: `The code ${discountCode} could not be checked, because the marketing partner does not answer; ${instead}`,
    }),
    points: (redeemPoints) => ({
      code: 'PARTNER_UNAVAILABLE',
      message: `${redeemPoints} points could not be redeemed, because the marketing partner does not answer; ${instead}`,
    }),
  })
}

export const warningsOfAnswer = (named: PromotionRequest, { discount, points }: PromotionAnswer): Warning[] =>
  warningsOf(named, {
    code: (discountCode) =>
      discount && discount.reason === null
        ? null
        : {
            code: 'DISCOUNT_NOT_APPLIED',
            message: `The code ${discountCode} was not applied: ${worded(CODE_REASONS, discount?.reason ?? '')}`,
          },
    points: (redeemPoints) => {
      if (!points || points.reason !== null) {
        const why = worded(POINTS_REASONS, points?.reason ?? '')
        return {
          code: 'POINTS_NOT_REDEEMED',
          message: `${redeemPoints} points were not redeemed: ${why}`,
        }
      }
      if (points.used >= redeemPoints) return null
      return {
        code: 'POINTS_NOT_REDEEMED',
        message: `Only ${points.used} of ${redeemPoints} points were redeemed, because they cover the price of the goods`,
      }
    },
  })

/**
 * Returns the part of a bill's discount that stays if the partner gave no answer to an edit, in rupiah. The discount
 * shrinks with the goods, so that the rest of a large bill does not become free.
 */
export const keptDiscount = (before: { promoDiscount: number; goods: number }, goods: number): number =>
  goods >= before.goods ? before.promoDiscount : mulDivFloor(before.promoDiscount, goods, before.goods)

/** Returns the points that pay for the rest of a discount that was lowered without the partner, in proportion, rounded up. */
export const keptPoints = (points: number, { before, after }: { before: number; after: number }): number =>
  points - mulDivFloor(points, before - after, before)

const MINUTE_MS = 60_000
/** The delays before the second and each later attempt to notify the partner; after the last the service gives up. */
const WAITS_MS = [1, 1, 5, 30, 120, 360, 720, 1440].map((minutes) => minutes * MINUTE_MS)

/** Returns the time of the next notification after `attempts` failed ones, or null if there is none. */
export const nextAttempt = (now: string, attempts: number): string | null => {
  const wait = WAITS_MS[attempts - 1]
  return wait === undefined ? null : addMs(now, wait)
}

/** The partner's offer to an unfinished request is released after this time. */
const ABANDONED_MS = 15 * MINUTE_MS
export const abandonedAt = (now: string): string => addMs(now, ABANDONED_MS)
