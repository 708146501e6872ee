import { useState } from 'react'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import type { FieldSpec } from '../form/field-spec.ts'
import { zoneName } from '../outlet-zone.ts'
import { useAllOutletOptions, useOutletOptions } from '../use-outlet-options.ts'
import type { ConditionsForm } from './conditions-values.ts'
import { useGroups } from './use-groups.ts'

const WEEK = [1, 2, 3, 4, 5, 6, 7] as const

/** The conditions of a price list or a promotion (B-price-2); whether it is in use is a field of their forms. */
export function useConditionFields(outletIds: readonly string[]): readonly FieldSpec<ConditionsForm>[] {
  const t = useOfficeTexts()
  const active = useOutletOptions()
  // An inactive outlet that was chosen stays in the list when its tick is removed.
  const [firstIds] = useState(outletIds)
  const outlets = useAllOutletOptions().filter(
    ({ value }) =>
      [...firstIds, ...outletIds].includes(value) || active.some((option) => option.value === value),
  )
  const groups = useGroups()
  const hint = t('zone.hint', { zone: zoneName(outletIds) })
  return [
    {
      kind: 'many',
      name: 'outletIds',
      label: t('outlet'),
      hint: t('priceList.noneIsAll'),
      options: outlets,
      isWide: true,
      isShown: () => outlets.length > 1 || outletIds.length > 0,
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
    { kind: 'datetime-local', name: 'startsAt', label: t('priceList.startsAt'), hint },
    { kind: 'datetime-local', name: 'endsAt', label: t('priceList.endsAt'), hint },
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
