import { invalid } from '../../../core/errors.ts'
import { mulDivFloor } from '../../../core/money.ts'
import { addMs } from '../../../core/time.ts'
import type { Program, ProgramIn } from './schema.ts'

export type ProgramValues = Omit<Program, 'createdAt' | 'updatedAt'>

/** B-referral-1. */
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

/** The whole program that a PUT means: what it leaves out is the default. 422 for values that do not go together. */
export function readProgram(input: ProgramIn): ProgramValues {
  const { currency, rewardType } = input
  if (!CURRENCIES.includes(currency)) throw invalid('currency', 'The currency must be IDR or USD')
  for (const param of ['referrerValue', 'refereeValue'] as const) {
    if (PERCENT_TYPES.includes(rewardType) && input[param] > 100)
      throw invalid(param, `${param} is a percentage here: 1 to 100`)
  }
  return {
    ...DEFAULTS,
    ...input,
    programTerms: input.programTerms || null,
    landingUrl: input.landingUrl || null,
    marketingCampaignId: input.marketingCampaignId || null,
  }
}

/** A completed sale that names a code; amounts in rupiah. */
export type Referred = {
  saleId: string
  customerId: string
  total: number
  deliveryFee: number
  completedAt: string
}
/** The link whose code it names. */
export type Named = {
  linkId: string
  customerId: string
  createdAt: string
  lastClickedAt: string | null
  /** Rewards it has earned so far. */
  earned: number
}

const DAY_MS = 24 * 3_600_000

/** Whether a sale is somebody else's and came in time: counted from the last click, without one from the link (B-referral-3). */
export function isAttributed(
  sale: Referred,
  link: Named,
  { attributionWindowDays }: Program | ProgramValues,
) {
  if (sale.customerId === link.customerId || sale.completedAt < link.createdAt) return false
  const since = link.lastClickedAt ?? link.createdAt
  return sale.completedAt <= addMs(since, attributionWindowDays * DAY_MS)
}

/** What one side gets: a percentage rounded down of goods or delivery, or the amount itself. */
export function rewardOf(
  { rewardType }: Pick<ProgramValues, 'rewardType'>,
  value: number,
  { total, deliveryFee }: Pick<Referred, 'total' | 'deliveryFee'>,
): number {
  if (rewardType === 'percent') return mulDivFloor(total - deliveryFee, value, 100)
  if (rewardType === 'shipping_percent') return mulDivFloor(deliveryFee, value, 100)
  return value
}

/** A percentage is one of rupiah. */
export const currencyOf = ({ rewardType, currency }: ProgramValues): 'IDR' | 'USD' =>
  currency === 'USD' && !PERCENT_TYPES.includes(rewardType) ? 'USD' : 'IDR'

/** Too small a sale, or one more than a referrer is rewarded for, earns nothing. */
export const earns = (
  { minPurchaseAmount, maxRewardsPerReferrer }: ProgramValues,
  sale: Referred,
  earned: number,
): boolean =>
  sale.total >= (minPurchaseAmount ?? 0) && earned < (maxRewardsPerReferrer ?? Number.POSITIVE_INFINITY)

export const expiryOf = ({ rewardExpiryDays }: ProgramValues, now: string): string =>
  addMs(now, rewardExpiryDays * DAY_MS)

/** Letters and digits that are told apart on paper and by voice. */
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
export const CODE_LENGTH = 8

/** A code of random bytes, one for each of its signs. */
export const codeOf = (bytes: Uint8Array): string =>
  [...bytes.subarray(0, CODE_LENGTH)].map((byte) => SIGNS[byte % SIGNS.length]).join('')

/** Sorts behind every event of a transaction. */
export const LAST_EVENT = `evt_${'Z'.repeat(26)}`
