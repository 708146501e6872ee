import { invalid } from '../../../core/errors.ts'
import { mulDivFloor } from '../../../core/money.ts'
import { addMs } from '../../../core/time.ts'
import type { Program, ProgramIn } from './schema.ts'

export type ProgramValues = Omit<Program, 'createdAt' | 'updatedAt'>

/** The program of a workspace that has changed none of its fields (B-referral-1). */
export const DEFAULTS: ProgramValues = {
  enabled: false,
  rewardType: 'percent',
  referrerValue: 10,
  refereeValue: 10,
  currency: 'IDR',
  minPurchaseAmount: null,
  rewardExpiryDays: 30,
  attributionWindowDays: 30,
  maxRewardsPerReferrer: null,
  programTerms: null,
  landingUrl: null,
  marketingCampaignId: null,
}

const CURRENCIES = ['IDR', 'USD']
const PERCENT_TYPES: readonly string[] = ['percent', 'shipping_percent']

/** Fills in the defaults of omitted fields. Throws 422 for values that exclude each other. */
export function readProgram(input: ProgramIn): ProgramValues {
  const { currency, rewardType } = input
  if (!CURRENCIES.includes(currency)) throw invalid('currency', 'The currency must be IDR or USD')
  for (const param of ['referrerValue', 'refereeValue'] as const) {
    if (PERCENT_TYPES.includes(rewardType) && input[param] > 100)
      throw invalid(param, `${param} is a percentage and must be between 1 and 100`)
  }
  return {
    ...DEFAULTS,
    ...input,
    programTerms: input.programTerms || null,
    landingUrl: input.landingUrl || null,
    marketingCampaignId: input.marketingCampaignId || null,
  }
}

/** A completed sale with a referral code; amounts in rupiah. */
export type ReferredSale = {
  saleId: string
  customerId: string
  total: number
  deliveryFee: number
  completedAt: string
}
/** The link with the code of the sale. */
export type ReferralLink = {
  linkId: string
  customerId: string
  createdAt: string
  lastClickedAt: string | null
  /** The number of rewards that the link has earned. */
  earned: number
}

const DAY_MS = 24 * 3_600_000

/**
 * Returns true if another customer made the sale within the attribution window. The window begins with the last
 * click, or else with the creation of the link (B-referral-3). A click after the sale does not count. Earlier clicks are
 * not stored, so the window then begins with the creation of the link.
 */
export function isAttributed(
  sale: ReferredSale,
  link: ReferralLink,
  { attributionWindowDays }: Program | ProgramValues,
) {
  const { completedAt } = sale
  const { createdAt, lastClickedAt } = link
  if (sale.customerId === link.customerId || completedAt < createdAt) return false
  const since = lastClickedAt !== null && lastClickedAt <= completedAt ? lastClickedAt : createdAt
  return completedAt <= addMs(since, attributionWindowDays * DAY_MS)
}

/** Returns the reward of one side: the amount, or a percentage of goods or delivery fee, rounded down. */
export function rewardOf(
  { rewardType }: Pick<ProgramValues, 'rewardType'>,
  value: number,
  { total, deliveryFee }: Pick<ReferredSale, 'total' | 'deliveryFee'>,
): number {
  if (rewardType === 'percent') return mulDivFloor(total - deliveryFee, value, 100)
  if (rewardType === 'shipping_percent') return mulDivFloor(deliveryFee, value, 100)
  return value
}

/** Returns the currency of the reward. Percentages are always of rupiah. */
export const currencyOf = ({ rewardType, currency }: ProgramValues): 'IDR' | 'USD' =>
  currency === 'USD' && !PERCENT_TYPES.includes(rewardType) ? 'USD' : 'IDR'

/** Returns false for a sale below the minimum, and if the referrer already has the largest number of rewards. */
export const earns = (
  { minPurchaseAmount, maxRewardsPerReferrer }: ProgramValues,
  sale: ReferredSale,
  earned: number,
): boolean =>
  sale.total >= (minPurchaseAmount ?? 0) && earned < (maxRewardsPerReferrer ?? Number.POSITIVE_INFINITY)

/** An unused reward of a referrer. */
export type UnusedReward = { id: string; linkId: string; earnedAt: string; expiresAt: string }
/** A purchase in which referrers use their own code. */
export type Purchase = { saleId: string; linkId: string; completedAt: string }
export type RewardUse = { rewardId: string; saleId: string }

/**
 * Assigns a reward to each purchase: the oldest one that was earned before the purchase and had not expired by then
 * (B-referral-4). The time of the purchase counts, not the time of this run. Both lists begin with the oldest.
 */
export function rewardUses(rewards: readonly UnusedReward[], purchases: readonly Purchase[]): RewardUse[] {
  const left = new Set(rewards)
  const uses: RewardUse[] = []
  for (const { saleId, linkId, completedAt } of purchases) {
    for (const reward of left) {
      if (reward.linkId !== linkId || reward.earnedAt >= completedAt || reward.expiresAt <= completedAt)
        continue
      left.delete(reward)
      uses.push({ rewardId: reward.id, saleId })
      break
    }
  }
  return uses
}

export const expiryOf = ({ rewardExpiryDays }: ProgramValues, now: string): string =>
  addMs(now, rewardExpiryDays * DAY_MS)

/** Letters and digits that are easy to tell apart in print and speech. */
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
export const CODE_LENGTH = 8

/** Turns random bytes into a code, one byte per character. */
export const codeOf = (bytes: Uint8Array): string =>
  [...bytes.subarray(0, CODE_LENGTH)].map((byte) => SIGNS[byte % SIGNS.length]).join('')

/** Sorts after every event of a transaction. */
export const LAST_EVENT = `evt_${'Z'.repeat(26)}`
