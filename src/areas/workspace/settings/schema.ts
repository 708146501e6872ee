import { type Static, Type } from 'typebox'
import { APPROVAL_ACTIONS, APPROVALS, type Approvals } from '../../../core/approvals.ts'
import {
  FreeText,
  Id,
  Nullable,
  Text,
  ThumbnailUrl,
  Timestamps,
  Words,
} from '../../../platform/http/shapes.ts'

export const BusinessType = Words(['RETAIL', 'FNB', 'PHARMACY', 'GENERAL'])
export type BusinessType = Static<typeof BusinessType>

/** B-settings-2 has the limits, and B-settings-3 those of the receipt texts. */
const Settable = {
  businessName: Text(120),
  businessType: BusinessType,
  currency: Type.String({ minLength: 1, maxLength: 8, description: 'Always IDR' }),
  transferBankName: FreeText(80),
  transferBankAccountNumber: Nullable(
    Type.String({
      maxLength: 40,
      pattern: '^[0-9 -]*$',
      'x-form': 'digits, spaces and dashes',
      description: 'Digits, spaces and dashes',
    }),
  ),
  transferBankAccountHolder: FreeText(120),
  loyaltyRupiahPerPoint: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Amount of goods in rupiah that earns one point; 0 switches points off',
  }),
  negativeStock: Words(['ALLOW', 'BLOCK'], {
    description: 'BLOCK rejects a sale of more than the stock',
  }),
  openItems: Type.Boolean({
    description: 'Whether items without a product can be sold: a name and a price typed in at the till',
  }),
  expenseCategories: Type.Array(Text(60), {
    maxItems: 50,
    description: 'What cash is taken out of a drawer for. Names differ in more than their case',
  }),
  receiptThanks: Nullable(
    Type.String({
      maxLength: 200,
      description:
        'Last line of a receipt. Null means a thank-you in the language of the receipt, unless the outlet has its own footer. Empty means none',
    }),
  ),
  receiptQr: Type.Boolean({
    description: 'Whether receipts that a printer prints end in a QR code of their public page',
  }),
  secondFactorRequired: Type.Boolean({
    description: 'Whether owners and managers need a second factor to sign in. Only an owner can change it',
  }),
  logoUrl: Nullable(
    Type.String({
      maxLength: 600,
      description: 'The image at the top of receipts: the publicUrl of an upload. Empty or null means none',
    }),
  ),
}

const scaleFields = {
  prefix: Type.String({ maxLength: 2, pattern: '^2[0-9]$', 'x-form': 'two digits from 20 to 29' }),
  itemDigits: Type.Integer({ minimum: 1, maximum: 9, description: 'Digits of the code of the goods' }),
  valueDigits: Type.Integer({ minimum: 1, maximum: 9, description: 'With itemDigits it makes 10' }),
  value: Words(['WEIGHT', 'PRICE'], { description: 'Grams, or whole rupiah' }),
}
const scalesOf = (title: string) =>
  Type.Array(Type.Object(scaleFields, { title }), {
    maxItems: 10,
    description:
      'How EAN-13 barcodes of scales are read: prefix, code of the goods, weight or price, check digit',
  })

const slug = Type.String({
  minLength: 3,
  maxLength: 60,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  'x-form': 'lower-case letters, digits and single dashes',
  description:
    'The name of the workspace in public addresses: lower-case letters, digits and single dashes. Null until one is needed',
})

const NPWP = 'Tax number of the business, printed on receipts: 15 or 16 digits'
const npwpIn = Nullable(
  Type.String({
    maxLength: 40,
    pattern: '^(([ .-]*[0-9]){15,16}[ .-]*)?$',
    'x-form': '15 or 16 digits',
    description: `${NPWP}. Dots, dashes and spaces are removed. Empty or null means none`,
  }),
)
const npwp = Nullable(Type.String({ pattern: '^[0-9]{15,16}$', description: NPWP }))

/** Bounds of `limit` actions: 100% is as good as off. */
const Limit = Nullable(
  Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Basis points: more than this share of the price needs an approval. Null: off',
  }),
)
const approvalFields = Object.fromEntries(
  APPROVAL_ACTIONS.map((action) => [
    action,
    APPROVALS[action].kind === 'limit'
      ? Limit
      : Type.Boolean({ description: 'Whether it needs an approval' }),
  ]),
)
const ofApprovals = {
  description:
    'The actions of a cashier that need an approval. A manager or owner gives it with their PIN at a till. All are off at first',
}
const ApprovalsOut = Type.Unsafe<Approvals>(
  Type.Object(approvalFields, { title: 'ApprovalSettings', ...ofApprovals }),
)
const ApprovalsIn = Type.Unsafe<Partial<Approvals>>(
  Type.Partial(
    Type.Object(approvalFields, {
      title: 'ApprovalSettingsUpdate',
      description: `${ofApprovals.description}. Omitted ones stay unchanged`,
    }),
  ),
)

export const SettingsPatch = Type.Partial(
  Type.Object({
    ...Settable,
    npwp: npwpIn,
    publicSlug: Nullable(slug),
    approvals: ApprovalsIn,
    scaleBarcodes: scalesOf('ScaleBarcodeUpdate'),
  }),
  {
    title: 'SettingsUpdate',
  },
)
export const Settings = Type.Object(
  {
    id: Id,
    ...Settable,
    thumbnailUrl: ThumbnailUrl,
    npwp,
    publicSlug: Nullable(slug),
    approvals: ApprovalsOut,
    scaleBarcodes: scalesOf('ScaleBarcode'),
    ...Timestamps,
  },
  { title: 'Settings' },
)

export type SettingsPatch = Static<typeof SettingsPatch>
export type Settings = Static<typeof Settings>
/** The settings that readers receive, also before the record exists. */
export type SettingsValues = Omit<Settings, 'id' | 'createdAt' | 'updatedAt'>
