import type { businessId } from './id.ts'

/** A business and its tax, for the sign-up and the back office, in English. */
export const businessEn: Readonly<Record<keyof typeof businessId, string>> = {
  'business.name': 'Business name',
  'business.type': 'Type of business',
  'type.FNB': 'Café or restaurant',
  'type.RETAIL': 'Shop',
  'type.PHARMACY': 'Pharmacy',
  'type.GENERAL': 'Other',
  'tax.NONE': 'No tax',
  'tax.inclusive': 'Prices include the tax',
}
