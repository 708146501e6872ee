import type { FieldSpec } from '../../office/form/field-spec.ts'
import type { OfficeTranslate } from '../../texts/office/texts.ts'
import type { BusinessValues } from './business-values.ts'

/** Only owners change where transfers go and who needs a second factor. */
export const businessFields = (
  t: OfficeTranslate,
  isOwner: boolean,
): readonly FieldSpec<BusinessValues>[] => [
  { kind: 'text', name: 'businessName', label: t('business.name'), isRequired: true, maxLength: 120 },
  {
    kind: 'choice',
    name: 'businessType',
    label: t('business.type'),
    isRequired: true,
    options: (['FNB', 'RETAIL', 'PHARMACY', 'GENERAL'] as const).map((value) => ({
      value,
      text: t(`type.${value}`),
    })),
  },
  { kind: 'text', name: 'npwp', label: t('settings.npwp'), maxLength: 40 },
  { kind: 'text', name: 'receiptThanks', label: t('settings.thanks'), maxLength: 200 },
  { kind: 'switch', name: 'receiptQr', label: t('settings.receiptQr') },
  {
    kind: 'money',
    name: 'loyaltyRupiahPerPoint',
    label: t('settings.points'),
    hint: t('settings.pointsHint'),
    isRequired: true,
  },
  {
    kind: 'choice',
    name: 'negativeStock',
    label: t('settings.negativeStock'),
    isRequired: true,
    options: [
      { value: 'ALLOW', text: t('settings.stockAllow') },
      { value: 'BLOCK', text: t('settings.stockBlock') },
    ],
  },
  { kind: 'switch', name: 'openItems', label: t('settings.openItems') },
  {
    kind: 'text',
    name: 'publicSlug',
    label: t('settings.slug'),
    hint: t('settings.slugHint'),
    maxLength: 60,
  },
  {
    kind: 'text',
    name: 'transferBankName',
    label: t('settings.bank'),
    maxLength: 80,
    isShown: () => isOwner,
  },
  {
    kind: 'text',
    name: 'transferBankAccountNumber',
    label: t('settings.account'),
    maxLength: 40,
    isShown: () => isOwner,
  },
  {
    kind: 'text',
    name: 'transferBankAccountHolder',
    label: t('settings.holder'),
    maxLength: 120,
    isShown: () => isOwner,
  },
  { kind: 'switch', name: 'secondFactorRequired', label: t('settings.secondFactor'), isShown: () => isOwner },
]
