import type { FieldSpec } from '../../../office/form/field-spec.ts'
import { useOutletOptions } from '../../../office/use-outlet-options.ts'
import { useOfficeTexts } from '../../../texts/office/texts.ts'
import type { PriceListForm } from './price-list-values.ts'
import { useGroups } from './use-groups.ts'

const WEEK = [1, 2, 3, 4, 5, 6, 7] as const

/** The name, the place in the order, and the conditions of a price list (B-price-2). */
export function usePriceListFields(): readonly FieldSpec<PriceListForm>[] {
  const t = useOfficeTexts()
  const outlets = useOutletOptions()
  const groups = useGroups()
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
    {
      kind: 'many',
      name: 'outletIds',
      label: t('outlet'),
      hint: t('priceList.noneIsAll'),
      options: outlets,
      isWide: true,
      isShown: () => outlets.length > 1,
    },
    {
      kind: 'many',
      name: 'orderTypes',
      label: t('orderType'),
      options: (['DINE_IN', 'TAKEAWAY', 'DELIVERY'] as const).map((value) => ({
        value,
        text: t(`orderType.${value}`),
      })),
      isWide: true,
    },
    {
      kind: 'many',
      name: 'customerGroupIds',
      label: t('groups'),
      options: groups.map(({ id, name }) => ({ value: id, text: name })),
      isWide: true,
      isShown: () => groups.length > 0,
    },
    {
      kind: 'many',
      name: 'weekdays',
      label: t('priceList.weekdays'),
      options: WEEK.map((day) => ({ value: String(day), text: t(`weekday.${day}`) })),
      isWide: true,
    },
    { kind: 'time', name: 'from', label: t('priceList.from'), hint: t('priceList.fromHint') },
    { kind: 'time', name: 'to', label: t('priceList.to') },
    { kind: 'datetime-local', name: 'startsAt', label: t('priceList.startsAt') },
    { kind: 'datetime-local', name: 'endsAt', label: t('priceList.endsAt') },
    {
      kind: 'text',
      name: 'channels',
      label: t('priceList.channels'),
      hint: t('priceList.channelsHint'),
      maxLength: 400,
      isWide: true,
    },
  ]
}
