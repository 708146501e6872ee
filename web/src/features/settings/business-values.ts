import type { Settings } from 'kasir-client'

const FIELDS = [
  'businessName',
  'businessType',
  'npwp',
  'receiptThanks',
  'receiptQr',
  'loyaltyRupiahPerPoint',
  'negativeStock',
  'openItems',
  'expenseCategories',
  'logoUrl',
  'publicSlug',
  'transferBankName',
  'transferBankAccountNumber',
  'transferBankAccountHolder',
  'secondFactorRequired',
] as const satisfies readonly (keyof Settings)[]

export type BusinessValues = Pick<Settings, (typeof FIELDS)[number]>

/** What the form of the business changes. */
export const toBusinessValues = (settings: Settings) =>
  Object.fromEntries(FIELDS.map((key) => [key, settings[key]])) as BusinessValues
