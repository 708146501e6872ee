import { useConditionFields } from '../../office/conditions/use-condition-fields.ts'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import type { PromotionForm } from './promotion-values.ts'

const KINDS = ['PERCENT', 'AMOUNT', 'BUY_X_GET_Y', 'BUNDLE'] as const

const isOf = (kind: (typeof KINDS)[number]) => (values: PromotionForm) => values.kind === kind

/** The kind, discount and conditions of a promotion (B-promo-1). The kind of a promotion never changes. */
export function usePromotionFields(
  isNew: boolean,
  outletIds: readonly string[],
): readonly FieldSpec<PromotionForm>[] {
  const t = useOfficeTexts()
  const kinds = KINDS.map((value) => ({ value, text: t(`promotion.kind.${value}`) }))
  return [
    { kind: 'text', name: 'name', label: t('promotion.name'), isRequired: true, maxLength: 80 },
    { kind: 'choice', name: 'kind', label: t('promotion.kind'), options: kinds, isShown: () => isNew },
    { kind: 'percent', name: 'percentBps', label: t('promotion.percent'), isShown: isOf('PERCENT') },
    { kind: 'money', name: 'amount', label: t('promotion.amount'), isShown: isOf('AMOUNT') },
    { kind: 'whole', name: 'buyQuantity', label: t('promotion.buy'), min: 1, isShown: isOf('BUY_X_GET_Y') },
    { kind: 'whole', name: 'getQuantity', label: t('promotion.get'), min: 1, isShown: isOf('BUY_X_GET_Y') },
    { kind: 'money', name: 'bundlePrice', label: t('promotion.bundlePrice'), isShown: isOf('BUNDLE') },
    { kind: 'money', name: 'minSpend', label: t('promotion.minSpend') },
    {
      kind: 'text',
      name: 'code',
      label: t('promotion.code'),
      hint: t('promotion.codeHint'),
      maxLength: 50,
    },
    {
      kind: 'whole',
      name: 'usageLimit',
      label: t('promotion.usageLimit'),
      min: 1,
      isShown: ({ code }) => code !== null,
    },
    {
      kind: 'whole',
      name: 'priority',
      label: t('priceList.priority'),
      hint: t('promotion.priorityHint'),
      min: 0,
    },
    { kind: 'switch', name: 'isActive', label: t('promotion.isActive'), isWide: true },
    {
      kind: 'switch',
      name: 'oncePerCustomer',
      label: t('promotion.oncePerCustomer'),
      hint: t('promotion.oncePerCustomerHint'),
      isWide: true,
    },
    {
      kind: 'switch',
      name: 'stackable',
      label: t('promotion.stackable'),
      hint: t('promotion.stackableHint'),
      isWide: true,
    },
    ...useConditionFields(outletIds),
  ]
}
