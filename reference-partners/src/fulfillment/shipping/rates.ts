import { mul, mulDivFloor, mulDivHalfUp, sum } from 'kasir/partner-tools'
import { COURIERS, type Courier, type CourierService, PER_KG } from './couriers.ts'
import type { Insurance, Item, Rate } from './schema.ts'
import { kmBetween, type Spot, zoneBetween } from './zones.ts'

/** Couriers let 300 grams pass before they charge another kilogram. */
const TOLERANCE_G = 300
const GRAMS = 1_000

/** The chargeable weight of a parcel in grams: its weight, or its volume weight if that is more. */
export function chargeableGrams(items: readonly Item[], divisor: number): number {
  const grams = items.map(({ weight, quantity }) => weight * quantity)
  const volumes = items.map(({ length = 0, width = 0, height = 0, quantity }) =>
    Math.ceil((length * width * height * quantity * GRAMS) / divisor),
  )
  return Math.max(sum(grams), sum(volumes))
}

/** The charged kilograms: 1.3 kg counts as one, 1.31 kg as two, and one is the minimum. */
export const chargedKg = (grams: number): number => Math.max(1, Math.ceil((grams - TOLERANCE_G) / GRAMS))

/** 0.2% of the insured amount, plus Rp 5.000 for the policy. */
const INSURED_BPS = 20
const INSURANCE_PAPER = 5_000

/** Returns the insured amount: the requested one, or with `true` the declared value of the items. */
export function insuredAmount(insurance: Insurance | undefined, items: readonly Item[]): number {
  if (typeof insurance === 'object') return insurance.amount
  return insurance === true ? sum(items.map(({ value, quantity }) => mul(value, quantity))) : 0
}

export const insuranceFee = (insured: number): number =>
  insured === 0 ? 0 : INSURANCE_PAPER + mulDivHalfUp(insured, INSURED_BPS, 10_000)

/** Prices are quoted in steps of Rp 500. */
const STEP = 500
const stepped = (rupiah: number): number => mul(mulDivFloor(rupiah + STEP - 1, 1, STEP), STEP)

/** A rider without coordinates rides across a city. */
const CITY_RIDE_KM = 10

export type Way = { from: Spot; to: Spot; items: readonly Item[] }

type Quote = { price: number; duration: string; grams: number }

/** Returns the price of a service for a parcel, or null if it does not serve the route or the weight. */
export function quoteOf(
  { pricing, mostKg, divisor }: CourierService,
  { from, to, items }: Way,
): Quote | null {
  const grams = chargeableGrams(items, divisor)
  if (grams > mostKg * GRAMS) return null
  const zone = zoneBetween(from, to)
  if (pricing.by === 'way') {
    const km = kmBetween(from, to) ?? (zone === 'city' ? CITY_RIDE_KM : Number.POSITIVE_INFINITY)
    if (km > pricing.farthestKm) return null
    const price = Math.max(pricing.least, stepped(mul(pricing.perKm, Math.ceil(km))))
    return { price, duration: pricing.duration, grams }
  }
  const duration = pricing.durations[zone]
  if (duration === undefined) return null
  const kg = Math.max(pricing.leastKg, chargedKg(grams))
  return { price: mul(stepped(mulDivHalfUp(PER_KG[zone], pricing.percent, 100)), kg), duration, grams }
}

/** Every service that takes the parcel, the cheapest first. */
export function ratesOf(way: Way, insured: number): Rate[] {
  const fee = insuranceFee(insured)
  return COURIERS.flatMap((courier) =>
    courier.services.flatMap((service) => {
      const quote = quoteOf(service, way)
      return quote === null ? [] : [rateOf(courier, service, quote, fee)]
    }),
  ).sort((a, b) => a.price - b.price)
}

const rateOf = (
  courier: Courier,
  service: CourierService,
  { price, duration }: Quote,
  fee: number,
): Rate => ({
  courierCode: courier.code,
  courierName: courier.name,
  courierServiceCode: service.code,
  courierServiceName: service.name,
  price,
  insuranceFee: fee,
  duration,
  type: service.type,
})
