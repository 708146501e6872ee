import { mulDivHalfUp } from '../../../core/money.ts'
import { addDays, dayOf, startOfDay } from '../../../core/time.ts'
import type { Window } from '../../../core/window.ts'

/** Sums over sales and refunds as they are kept; rupiah and numbers of records (B-report-3). */
export type Sums = {
  salesCount: number
  gross: number
  discounts: number
  tax: number
  includedTax: number
  deliveryFees: number
  total: number
  refundCount: number
  refundedGoods: number
  refundedTax: number
  refundedDeliveryFees: number
  voidCount: number
  service: number
  refundedService: number
  rounding: number
  refundedRounding: number
}

export type Figures = {
  salesCount: number
  gross: number
  discounts: number
  refunds: number
  tax: number
  net: number
  service: number
  rounding: number
  deliveryFees: number
  collected: number
  avgTicket: number
  refundCount: number
  voidCount: number
}

/**
 * The figures of a report (B-report-3). `net` excludes tax, whether prices include it or not. Refunds count by their
 * stored split. `collected = net + tax + deliveryFees + service` is the money taken less the money given back, before
 * cash rounding.
 */
export function figuresOf(sums: Sums): Figures {
  const tax = sums.tax - sums.refundedTax
  const net = sums.gross - sums.discounts - sums.refundedGoods - sums.includedTax
  const deliveryFees = sums.deliveryFees - sums.refundedDeliveryFees
  const service = sums.service - sums.refundedService
  return {
    salesCount: sums.salesCount,
    gross: sums.gross,
    discounts: sums.discounts,
    refunds: sums.refundedGoods,
    tax,
    net,
    service,
    rounding: sums.rounding - sums.refundedRounding,
    deliveryFees,
    collected: net + tax + deliveryFees + service,
    avgTicket: averageTicket(sums),
    refundCount: sums.refundCount,
    voidCount: sums.voidCount,
  }
}

/** The average payment of a customer before any refund, rounded half up; 0 without sales (B-report-3). */
const averageTicket = ({ total, salesCount }: Pick<Sums, 'total' | 'salesCount'>) =>
  salesCount === 0 ? 0 : mulDivHalfUp(total, 1, salesCount)

export type MethodSums = { method: string; count: number; amount: number; refunds: number }

/** Payments of the counted sales, less the refunds that went out this way (B-report-4). */
export const methodFigures = (sums: MethodSums) => ({ ...sums, net: sums.amount - sums.refunds })

/** `grams` are those of goods sold by weight, which `quantity` leaves out. */
export type GoodsSums = { quantity: number; grams: number; revenue: number; cost: number; uncosted: number }

/** Revenue less cost, and that as basis points of the revenue, rounded half away from zero; null without revenue (B-report-7). */
export function marginOf({ quantity, grams, revenue, cost, uncosted }: GoodsSums) {
  const margin = revenue - cost
  const sign = margin < 0 ? -1 : 1
  const bps = revenue > 0 ? sign * mulDivHalfUp(Math.abs(margin), 10_000, revenue) : null
  const goods = { quantity, grams, revenue, cost, margin }
  return { ...goods, marginBps: bps === 0 ? 0 : bps, revenueWithoutCost: uncosted }
}

export type OutletZone = { id: string; timezone: string }

/** A window on the calendar of one outlet: the whole local days in it, and the instants at which those begin and end. */
export type OutletPeriod = OutletZone &
  Window & { dayFrom: string; dayTo: string; innerFrom: string; innerTo: string }

/** `dayTo` is the day after the last whole one; a window without a whole day has none before it. */
export function spanOf(place: OutletZone, window: Window): OutletPeriod {
  const first = dayOf(window.from, place.timezone)
  const isWhole = startOfDay(first, place.timezone) === window.from
  const dayFrom = isWhole ? first : addDays(first, 1)
  const last = dayOf(window.to, place.timezone)
  const dayTo = last < dayFrom ? dayFrom : last
  return {
    ...place,
    ...window,
    dayFrom,
    dayTo,
    innerFrom: startOfDay(dayFrom, place.timezone),
    innerTo: startOfDay(dayTo, place.timezone),
  }
}

/** The `days` calendar days that end with the latest today of the outlets, oldest first (B-report-6). */
export function lastDays(places: readonly OutletZone[], days: number, now: string): string[] {
  const todays = places.map(({ timezone }) => dayOf(now, timezone)).sort()
  const today = todays.at(-1) ?? dayOf(now, 'UTC')
  return Array.from({ length: days }, (_, index) => addDays(today, index - days + 1))
}

/** These days on the calendar of one outlet. */
export const spanOfDays = (place: OutletZone, first: string, last: string): OutletPeriod =>
  spanOf(place, {
    from: startOfDay(first, place.timezone),
    to: startOfDay(addDays(last, 1), place.timezone),
  })
