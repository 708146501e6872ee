/**
 * The settings of a workspace until it changes them (B-settings-1, B-settings-2, B-settings-3); the columns of
 * `settings` have the same defaults.
 */
export const SETTINGS_DEFAULTS = {
  businessType: 'GENERAL',
  currency: 'IDR',
  transferBankName: null,
  transferBankAccountNumber: null,
  transferBankAccountHolder: null,
  loyaltyRupiahPerPoint: 10_000,
  negativeStock: 'ALLOW',
  npwp: null,
  receiptThanks: null,
  secondFactorRequired: false,
  publicSlug: null,
  logoUrl: null,
} as const
