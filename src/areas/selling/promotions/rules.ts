import { mulDivFloor } from '../../../core/money.ts'
import { addMs } from '../../../core/time.ts'
import type { Warning } from './schema.ts'

/** What a sale names: a code, points, or both; never neither. */
export type Named = { discountCode: string | null; redeemPoints: number | null }

/** What a sale names of a code and points; null where that is nothing. An empty text is no code, no points are none. */
export function namedIn(sent: {
  discountCode?: string | null | undefined
  redeemPoints?: number | null | undefined
}): Named | null {
  const discountCode = sent.discountCode || null
  const redeemPoints = sent.redeemPoints || null
  return discountCode === null && redeemPoints === null ? null : { discountCode, redeemPoints }
}

/** What the partner says; amounts in rupiah. `reason` says why a part is worth nothing. */
export type Answer = {
  promoDiscount: number
  discount: { reason: string | null } | null
  points: { used: number; reason: string | null } | null
}

const CODE_REASONS: Readonly<Record<string, string>> = {
  UNKNOWN_CODE: 'there is no such code; check the spelling',
  INACTIVE: 'it is switched off',
  NOT_STARTED: 'it is not valid yet',
  ENDED: 'it has expired',
  BELOW_MINIMUM: 'the goods cost less than it asks for',
  USED_UP: 'it has been used up',
}
const POINTS_REASONS: Readonly<Record<string, string>> = {
  NO_CUSTOMER: 'the sale names no customer',
  NOT_ENOUGH_POINTS: 'the customer does not have that many left',
}
// Words of a partner that are not in the list are not passed on: a till shows the message as it is.
const worded = (reasons: Readonly<Record<string, string>>, reason: string) =>
  (Object.hasOwn(reasons, reason) ? reasons[reason] : undefined) ?? 'the marketing partner refused it'

type Make = {
  code(discountCode: string): Omit<Warning, 'field'> | null
  points(redeemPoints: number): Omit<Warning, 'field'> | null
}

function warningsOf({ discountCode, redeemPoints }: Named, make: Make): Warning[] {
  const ofCode = discountCode === null ? null : make.code(discountCode)
  const ofPoints = redeemPoints === null ? null : make.points(redeemPoints)
  return [
    ...(ofCode ? [{ code: ofCode.code, field: 'discountCode', message: ofCode.message }] : []),
    ...(ofPoints ? [{ code: ofPoints.code, field: 'redeemPoints', message: ofPoints.message }] : []),
  ]
}

/** Codes and points change nothing without the marketing module (B-sale-11). */
export const warningsWhenOff = (named: Named): Warning[] =>
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

/** What is said of a new sale, or of a bill whose discount of `kept` rupiah could not be looked at again. */
export const warningsWithoutAnswer = (named: Named, kept: number): Warning[] => {
  const instead =
    kept > 0
      ? `the discount of Rp ${kept} stays; edit the bill again to have it checked`
      : 'try again with an open bill, or use orderDiscount to lower the price'
  return warningsOf(named, {
    code: (discountCode) => ({
      code: 'PARTNER_UNAVAILABLE',
      message: `The code ${discountCode} could not be checked, because the marketing partner does not answer: ${instead}`,
    }),
    points: (redeemPoints) => ({
      code: 'PARTNER_UNAVAILABLE',
      message: `${redeemPoints} points could not be redeemed, because the marketing partner does not answer: ${instead}`,
    }),
  })
}

export const warningsOfAnswer = (named: Named, { discount, points }: Answer): Warning[] =>
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
        message: `${points.used} of ${redeemPoints} points were redeemed: the goods need no more`,
      }
    },
  })

/**
 * What stays of the discount of a bill that was edited while the partner gave no answer: all of it, less where the goods
 * became fewer, so that a part of a large bill does not go out for nothing. Rupiah.
 */
export const keptDiscount = (before: { promoDiscount: number; goods: number }, goods: number): number =>
  goods >= before.goods ? before.promoDiscount : mulDivFloor(before.promoDiscount, goods, before.goods)

const MINUTE_MS = 60_000
/** Before the second attempt to tell the partner and each one after it; past the last nobody tells it. */
const WAITS_MS = [1, 1, 5, 30, 120, 360, 720, 1440].map((minutes) => minutes * MINUTE_MS)

/** When the partner is told again that could not be told for the `attempts`th time; null for never. */
export const nextAttempt = (now: string, attempts: number): string | null => {
  const wait = WAITS_MS[attempts - 1]
  return wait === undefined ? null : addMs(now, wait)
}

/** A request that asked the partner and never came to an end has lost what it was given after this. */
const ABANDONED_MS = 15 * MINUTE_MS
export const abandonedAt = (now: string): string => addMs(now, ABANDONED_MS)
