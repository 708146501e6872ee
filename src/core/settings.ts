/** What holds for a workspace until it says otherwise (contract 9.4, 14.1, 14.2, 27.14); the columns of `settings` default alike. */
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
