import type { ReferralProgram } from 'kasir-client'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import type { MarketingTranslate } from '../../texts/marketing/texts.ts'

type Whole = 'referrerValue' | 'refereeValue' | 'rewardExpiryDays' | 'attributionWindowDays'

/** The program of the form: its numbers are null while their field is empty. */
export type ProgramValues = Omit<ReferralProgram, 'createdAt' | 'updatedAt' | Whole> &
  Record<Whole, number | null>

/** The service refuses 0 at its field, as it would an empty one. */
export const programBody = (values: ProgramValues) => ({
  ...values,
  referrerValue: values.referrerValue ?? 0,
  refereeValue: values.refereeValue ?? 0,
  rewardExpiryDays: values.rewardExpiryDays ?? 0,
  attributionWindowDays: values.attributionWindowDays ?? 0,
})

const TYPES = ['percent', 'fixed', 'shipping_percent', 'shipping_fixed'] as const

export const programFields = (m: MarketingTranslate): readonly FieldSpec<ProgramValues>[] => [
  { kind: 'switch', name: 'enabled', label: m('referral.enabled'), isWide: true },
  {
    kind: 'choice',
    name: 'rewardType',
    label: m('referral.type'),
    isRequired: true,
    options: TYPES.map((value) => ({ value, text: m(`reward.${value}`) })),
  },
  {
    kind: 'choice',
    name: 'currency',
    label: m('referral.currency'),
    isRequired: true,
    options: ['IDR', 'USD'].map((value) => ({ value, text: value })),
  },
  {
    kind: 'whole',
    name: 'referrerValue',
    label: m('referral.referrer'),
    hint: m('referral.valueHint'),
    isRequired: true,
    min: 1,
  },
  {
    kind: 'whole',
    name: 'refereeValue',
    label: m('referral.referee'),
    hint: m('referral.valueHint'),
    isRequired: true,
    min: 1,
  },
  { kind: 'money', name: 'minPurchaseAmount', label: m('referral.minimum') },
  {
    kind: 'whole',
    name: 'maxRewardsPerReferrer',
    label: m('referral.most'),
    hint: m('referral.mostHint'),
    min: 1,
  },
  {
    kind: 'whole',
    name: 'rewardExpiryDays',
    label: m('referral.expiry'),
    isRequired: true,
    min: 1,
    max: 365,
  },
  {
    kind: 'whole',
    name: 'attributionWindowDays',
    label: m('referral.window'),
    isRequired: true,
    min: 1,
    max: 180,
  },
  {
    kind: 'text',
    name: 'landingUrl',
    label: m('referral.landing'),
    hint: m('referral.landingHint'),
    maxLength: 600,
    isWide: true,
  },
  { kind: 'area', name: 'programTerms', label: m('referral.terms'), maxLength: 10_000, isWide: true },
]
