import { type Static, Type } from 'typebox'
import { FreeText, Id, Nullable, Text, Timestamps, Words } from '../../../platform/http/shapes.ts'

export const BusinessType = Words(['RETAIL', 'FNB', 'PHARMACY', 'GENERAL'])
export type BusinessType = Static<typeof BusinessType>

/** Bounds as in B-settings-2, and in B-settings-3 for what receipts say. */
const Settable = {
  businessName: Text(120),
  businessType: BusinessType,
  currency: Type.String({ minLength: 1, maxLength: 8, description: 'Always IDR' }),
  transferBankName: FreeText(80),
  transferBankAccountNumber: Nullable(
    Type.String({ maxLength: 40, pattern: '^[0-9 -]*$', description: 'Digits, spaces and dashes' }),
  ),
  transferBankAccountHolder: FreeText(120),
  loyaltyRupiahPerPoint: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Rupiah of goods that earn one point; 0 switches points off',
  }),
  negativeStock: Words(['ALLOW', 'BLOCK'], {
    description: 'BLOCK refuses to sell more than there is',
  }),
  receiptThanks: Nullable(
    Type.String({
      maxLength: 200,
      description:
        'Last line of a receipt. Null: a thank-you in the language of the receipt, unless the outlet has a footer of its own. Empty: none',
    }),
  ),
  secondFactorRequired: Type.Boolean({
    description: 'Owners and managers need a second factor to sign in; for an owner to change',
  }),
  logoUrl: Nullable(
    Type.String({
      maxLength: 600,
      description:
        'Heads receipts: the publicUrl of a PNG or JPEG that was uploaded here, of at most four million points. Empty or null: none',
    }),
  ),
}

const slug = Type.String({
  minLength: 3,
  maxLength: 60,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  description:
    'What the workspace is called in public addresses: lower-case letters, digits and single dashes. Null until one is needed',
})

const NPWP = 'Tax number of the business, printed on receipts: 15 or 16 digits'
const npwpIn = Nullable(
  Type.String({
    maxLength: 40,
    pattern: '^(([ .-]*[0-9]){15,16}[ .-]*)?$',
    description: `${NPWP}; dots, dashes and spaces between them are dropped. Empty or null: none`,
  }),
)
const npwp = Nullable(Type.String({ pattern: '^[0-9]{15,16}$', description: NPWP }))

export const SettingsPatch = Type.Partial(
  Type.Object({ ...Settable, npwp: npwpIn, publicSlug: Nullable(slug) }),
  {
    title: 'SettingsUpdate',
  },
)
export const Settings = Type.Object(
  { id: Id, ...Settable, npwp, publicSlug: Nullable(slug), ...Timestamps },
  { title: 'Settings' },
)

export type SettingsPatch = Static<typeof SettingsPatch>
export type Settings = Static<typeof Settings>
/** What every reader may count on, also before the record exists. */
export type SettingsValues = Omit<Settings, 'id' | 'createdAt' | 'updatedAt'>
