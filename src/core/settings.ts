/** What holds for a workspace until it says otherwise (B-settings-1, B-settings-2, B-settings-3); the columns of `settings` default alike. */
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
} as const
