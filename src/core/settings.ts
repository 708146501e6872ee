import { NO_APPROVALS } from './approvals.ts'
import type { ScaleBarcode } from './scale-barcodes.ts'

/** No barcode is that of a scale. */
const NO_SCALES: ScaleBarcode[] = []

/**
 * The default settings of a workspace (B-settings-1, B-settings-2, B-settings-3); the columns of `settings` have the
 * same defaults.
 */
export const SETTINGS_DEFAULTS = {
  businessType: 'GENERAL',
  currency: 'IDR',
  transferBankName: null,
  transferBankAccountNumber: null,
  transferBankAccountHolder: null,
  loyaltyRupiahPerPoint: 10_000,
  negativeStock: 'ALLOW',
  openItems: true,
  expenseCategories: [] as string[],
  npwp: null,
  receiptThanks: null,
  receiptQr: false,
  secondFactorRequired: false,
  publicSlug: null,
  logoUrl: null,
  thumbnailUrl: null,
  approvals: NO_APPROVALS,
  scaleBarcodes: NO_SCALES,
} as const
