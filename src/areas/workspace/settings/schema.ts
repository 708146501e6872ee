import { type Static, Type } from 'typebox'
import { FreeText, Id, Nullable, Text, Timestamps, Words } from '../../../platform/http/shapes.ts'

export const BusinessType = Words(['RETAIL', 'FNB', 'PHARMACY', 'GENERAL'])
export type BusinessType = Static<typeof BusinessType>

/** Bounds of contract 14.1; `loyaltyRupiahPerPoint` and `negativeStock` are the extension of 14.2. */
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
    description: 'BLOCK refuses a sale of more than may be sold',
  }),
}

export const SettingsPatch = Type.Partial(Type.Object(Settable))
export const Settings = Type.Object({ id: Id, ...Settable, ...Timestamps }, { title: 'Settings' })

export type SettingsPatch = Static<typeof SettingsPatch>
export type Settings = Static<typeof Settings>
/** What every reader may count on, also before the record exists. */
export type SettingsValues = Omit<Settings, 'id' | 'createdAt' | 'updatedAt'>
