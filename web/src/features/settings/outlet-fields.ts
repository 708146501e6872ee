import type { FieldSpec } from '../../office/form/field-spec.ts'
import { ZONES } from '../../office/outlet-zone.ts'
import type { OfficeKey, OfficeTranslate } from '../../texts/office/texts.ts'
import type { OutletForm } from './outlet-values.ts'

export const placeFields = (t: OfficeTranslate, timezone: string): readonly FieldSpec<OutletForm>[] => [
  { kind: 'text', name: 'name', label: t('outlet.name'), isRequired: true, maxLength: 120 },
  { kind: 'tel', name: 'phone', label: t('customer.phone'), maxLength: 40 },
  { kind: 'area', name: 'address', label: t('outlet.address'), maxLength: 500, isWide: true },
  {
    kind: 'choice',
    name: 'timezone',
    label: t('outlet.timezone'),
    isRequired: true,
    options: [...new Set([...Object.keys(ZONES), timezone])].map((value) => ({
      value,
      text: value in ZONES ? `${ZONES[value]} · ${value}` : value,
    })),
  },
  { kind: 'switch', name: 'isActive', label: t('outlet.isActive') },
]

const isCharged = ({ serviceChargeBps }: OutletForm) => serviceChargeBps > 0
const isRounded = ({ roundingStep }: OutletForm) => roundingStep !== '0'

export function chargeFields(t: OfficeTranslate): readonly FieldSpec<OutletForm>[] {
  const options = <T extends string>(values: readonly T[], prefix: string) =>
    values.map((value) => ({ value, text: t(`${prefix}.${value}` as OfficeKey) }))
  return [
    { kind: 'text', name: 'taxLabel', label: t('outlet.taxLabel'), isRequired: true, maxLength: 30 },
    { kind: 'percent', name: 'taxRateBps', label: t('outlet.taxRate'), isRequired: true },
    { kind: 'switch', name: 'taxInclusive', label: t('tax.inclusive'), isWide: true },
    {
      kind: 'percent',
      name: 'serviceChargeBps',
      label: t('service'),
      isRequired: true,
      hint: t('outlet.serviceHint'),
    },
    {
      kind: 'choice',
      name: 'serviceChargeBase',
      label: t('outlet.serviceBase'),
      isRequired: true,
      options: options(['AFTER_DISCOUNT', 'BEFORE_DISCOUNT'], 'serviceBase'),
      isShown: isCharged,
    },
    {
      kind: 'many',
      name: 'serviceChargeOrderTypes',
      label: t('outlet.serviceOrderTypes'),
      options: options(['DINE_IN', 'TAKEAWAY', 'DELIVERY'], 'orderType'),
      isWide: true,
      isShown: isCharged,
    },
    {
      kind: 'switch',
      name: 'serviceChargeTaxable',
      label: t('outlet.serviceTaxable'),
      isWide: true,
      isShown: isCharged,
    },
    {
      kind: 'choice',
      name: 'roundingStep',
      label: t('rounding'),
      isRequired: true,
      options: [
        { value: '0', text: t('rounding.none') },
        ...['50', '100', '500', '1000'].map((value) => ({ value, text: `Rp ${value}` })),
      ],
    },
    {
      kind: 'choice',
      name: 'roundingMode',
      label: t('rounding.mode'),
      isRequired: true,
      options: options(['NEAREST', 'DOWN', 'UP'], 'roundingMode'),
      isShown: isRounded,
    },
  ]
}

export const receiptFields = (t: OfficeTranslate): readonly FieldSpec<OutletForm>[] => [
  { kind: 'area', name: 'receiptHeader', label: t('outlet.receiptHeader'), maxLength: 500, isWide: true },
  { kind: 'area', name: 'receiptFooter', label: t('outlet.receiptFooter'), maxLength: 500, isWide: true },
]
