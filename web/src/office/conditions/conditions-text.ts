import type { Outlet } from 'kasir-client'
import { isTimely, momentOf } from '../../core.ts'
import type { OfficeTranslate } from '../../texts/office/texts.ts'
import { formatMoment } from '../../ui/time.ts'
import { zoneOf } from '../outlet-zone.ts'
import type { Conditions } from './conditions-values.ts'

const WEEK = [1, 2, 3, 4, 5, 6, 7] as const
type Weekday = (typeof WEEK)[number]

const dayName = (t: OfficeTranslate, day: number) => t(`weekday.${day as Weekday}`)

/** Weekdays in words; three or more in a row as a span. */
function weekdaysText(t: OfficeTranslate, days: readonly number[]): string {
  const sorted = [...days].sort((a, b) => a - b)
  const [first = 1, last = 1] = [sorted[0], sorted.at(-1)]
  if (sorted.length > 2 && last - first === sorted.length - 1)
    return `${dayName(t, first)}–${dayName(t, last)}`
  return sorted.map((day) => dayName(t, day)).join(', ')
}

type ConditionNames = { outlet(id: string): string; group(id: string): string }

/** When and for which sales a price list or a promotion applies, one condition after the other. */
export function conditionsText(t: OfficeTranslate, of: Conditions, named: ConditionNames): string[] {
  const { outletIds, orderTypes, channels, customerGroupIds, weekdays, from, to, startsAt, endsAt } = of
  const zone = zoneOf(outletIds ?? [])
  return [
    outletIds === null ? t('priceList.everyOutlet') : outletIds.map(named.outlet).join(', '),
    ...(orderTypes === null ? [] : [orderTypes.map((type) => t(`orderType.${type}`)).join(', ')]),
    ...(channels === null ? [] : [channels.join(', ')]),
    ...(customerGroupIds === null ? [] : [customerGroupIds.map(named.group).join(', ')]),
    ...(weekdays === null ? [] : [weekdaysText(t, weekdays)]),
    ...(from === null && to === null ? [] : [`${from ?? '00:00'}–${to ?? '24:00'}`]),
    ...(startsAt === null ? [] : [t('priceList.since', { time: formatMoment(startsAt, zone) })]),
    ...(endsAt === null ? [] : [t('priceList.until', { time: formatMoment(endsAt, zone) })]),
  ]
}

/** Whether a price list or a promotion applies at an instant, by the clock of one of its outlets. */
export function stateOf(
  conditions: Conditions,
  outlets: readonly Outlet[],
  instant: string,
): 'now' | 'later' | 'ended' | 'off' {
  const { isActive, endsAt, outletIds } = conditions
  if (!isActive) return 'off'
  if (endsAt !== null && endsAt <= instant) return 'ended'
  const own = outlets.filter(({ id }) => outletIds === null || outletIds.includes(id))
  return own.some(({ timezone }) => isTimely(conditions, momentOf(instant, timezone))) ? 'now' : 'later'
}
