import { useConditionFields } from '../../../office/conditions/use-condition-fields.ts'
import type { FieldSpec } from '../../../office/form/field-spec.ts'
import { useOfficeTexts } from '../../../texts/office/texts.ts'
import type { PriceListForm } from './price-list-values.ts'

/** The name, the place in the order, and the conditions of a price list (B-price-2). */
export function usePriceListFields(outletIds: readonly string[]): readonly FieldSpec<PriceListForm>[] {
  const t = useOfficeTexts()
  return [
    { kind: 'text', name: 'name', label: t('priceList.name'), isRequired: true, maxLength: 120 },
    {
      kind: 'whole',
      name: 'priority',
      label: t('priceList.priority'),
      hint: t('priceList.priorityHint'),
      isRequired: true,
      min: 0,
    },
    { kind: 'switch', name: 'isActive', label: t('priceList.isActive'), isWide: true },
    ...useConditionFields(outletIds),
  ]
}
