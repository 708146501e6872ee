import type { Zone } from './zones.ts'

export const SERVICE_TYPES = ['economy', 'standard', 'express', 'cargo', 'same_day', 'instant'] as const
export type ServiceType = (typeof SERVICE_TYPES)[number]

/** For parcels: the price depends on zone and chargeable weight. */
type Parcels = {
  by: 'zone'
  /** The part of the usual price, in percent. */
  percent: number
  /** The days to each zone; a zone without days is not served. */
  durations: Readonly<Partial<Record<Zone, string>>>
  /** The minimum weight that is charged, in kilograms. */
  leastKg: number
}
/** For riders: the price depends on the distance. */
type Riders = { by: 'way'; perKm: number; least: number; duration: string; farthestKm: number }

export type CourierService = {
  code: string
  name: string
  type: ServiceType
  description: string
  /** The heaviest parcel, in kilograms. */
  mostKg: number
  /** Cubic centimetres that count as a kilogram. */
  divisor: number
  pricing: Parcels | Riders
}
export type Courier = {
  code: string
  name: string
  waybillPrefix: string
  services: readonly CourierService[]
}

const REGULAR = {
  city: '1 - 2 days',
  province: '1 - 2 days',
  island: '2 - 3 days',
  near: '3 - 4 days',
  far: '3 - 5 days',
  remote: '5 - 9 days',
}
const NEXT_DAY = { city: '1 day', province: '1 day', island: '1 day', near: '1 - 2 days' }
const SLOW = { province: '3 - 5 days', island: '4 - 6 days', near: '5 - 8 days', far: '6 - 9 days' }
const BY_SEA = { ...SLOW, remote: '14 - 21 days' }

type ServiceOffer = Pick<CourierService, 'code' | 'name' | 'description'> & { percent: number }

const regular = ({ percent, ...sold }: ServiceOffer): CourierService => ({
  ...sold,
  type: 'standard',
  mostKg: 50,
  divisor: 6_000,
  pricing: { by: 'zone', percent, durations: REGULAR, leastKg: 1 },
})
const nextDay = ({ percent, ...sold }: ServiceOffer): CourierService => ({
  ...sold,
  type: 'express',
  mostKg: 30,
  divisor: 6_000,
  pricing: { by: 'zone', percent, durations: NEXT_DAY, leastKg: 1 },
})
const economy = ({ percent, ...sold }: ServiceOffer): CourierService => ({
  ...sold,
  type: 'economy',
  mostKg: 50,
  divisor: 6_000,
  pricing: { by: 'zone', percent, durations: SLOW, leastKg: 1 },
})
const cargo = ({ percent, leastKg, ...sold }: ServiceOffer & { leastKg: number }): CourierService => ({
  ...sold,
  type: 'cargo',
  mostKg: 1_000,
  divisor: 4_000,
  pricing: { by: 'zone', percent, durations: BY_SEA, leastKg },
})
const riderService = (
  type: 'instant' | 'same_day',
  {
    perKm,
    least,
    ...sold
  }: Pick<CourierService, 'code' | 'name' | 'description'> & { perKm: number; least: number },
): CourierService => ({
  ...sold,
  type,
  mostKg: type === 'instant' ? 20 : 7,
  divisor: 6_000,
  pricing: {
    by: 'way',
    perKm,
    least,
    duration: type === 'instant' ? '1 - 3 hours' : '6 - 8 hours',
    farthestKm: 40,
  },
})

/** Couriers and services of Indonesia, under the codes that aggregators know them by. Prices are this partner's own. */
export const COURIERS: readonly Courier[] = [
  {
    code: 'jne',
    name: 'JNE',
    waybillPrefix: 'JX',
    services: [
      regular({ code: 'reg', name: 'REG', description: 'Regular parcels', percent: 100 }),
      nextDay({ code: 'yes', name: 'YES', description: 'Arrives the next day', percent: 190 }),
      economy({ code: 'oke', name: 'OKE', description: 'Cheaper and slower', percent: 85 }),
      cargo({ code: 'jtr', name: 'JTR', description: 'By truck, 10 kg or more', percent: 35, leastKg: 10 }),
    ],
  },
  {
    code: 'jnt',
    name: 'J&T Express',
    waybillPrefix: 'JP',
    services: [regular({ code: 'ez', name: 'EZ', description: 'Regular parcels', percent: 105 })],
  },
  {
    code: 'sicepat',
    name: 'SiCepat',
    waybillPrefix: 'SC',
    services: [
      regular({ code: 'reg', name: 'REG', description: 'Regular parcels', percent: 95 }),
      nextDay({ code: 'best', name: 'BEST', description: 'Arrives the next day', percent: 175 }),
      cargo({ code: 'gokil', name: 'GOKIL', description: 'Cargo, 10 kg or more', percent: 33, leastKg: 10 }),
    ],
  },
  {
    code: 'anteraja',
    name: 'AnterAja',
    waybillPrefix: 'AA',
    services: [
      regular({ code: 'reg', name: 'Regular', description: 'Regular parcels', percent: 90 }),
      nextDay({ code: 'next_day', name: 'Next Day', description: 'Arrives the next day', percent: 165 }),
      riderService('same_day', {
        code: 'same_day',
        name: 'Same Day',
        description: 'Arrives the same day, within 40 km',
        perKm: 1_500,
        least: 18_000,
      }),
    ],
  },
  {
    code: 'pos',
    name: 'Pos Indonesia',
    waybillPrefix: 'PI',
    services: [
      regular({ code: 'reguler', name: 'Pos Reguler', description: 'Regular parcels', percent: 92 }),
      nextDay({ code: 'next_day', name: 'Pos Nextday', description: 'Arrives the next day', percent: 160 }),
      cargo({
        code: 'kargo',
        name: 'Pos Kargo',
        description: 'Cargo, 10 kg or more',
        percent: 30,
        leastKg: 10,
      }),
    ],
  },
  {
    code: 'tiki',
    name: 'TIKI',
    waybillPrefix: 'TK',
    services: [
      regular({ code: 'reg', name: 'REG', description: 'Regular parcels', percent: 98 }),
      nextDay({ code: 'ons', name: 'ONS', description: 'Over night', percent: 185 }),
      economy({ code: 'eko', name: 'ECO', description: 'Cheaper and slower', percent: 82 }),
    ],
  },
  {
    code: 'ninja',
    name: 'Ninja Xpress',
    waybillPrefix: 'NX',
    services: [regular({ code: 'standard', name: 'Standard', description: 'Regular parcels', percent: 96 })],
  },
  {
    code: 'lion',
    name: 'Lion Parcel',
    waybillPrefix: 'LP',
    services: [
      regular({ code: 'reg_pack', name: 'REGPACK', description: 'Regular parcels', percent: 94 }),
      nextDay({ code: 'one_pack', name: 'ONEPACK', description: 'Arrives the next day', percent: 170 }),
      cargo({
        code: 'jago_pack',
        name: 'JAGOPACK',
        description: 'Cargo, 10 kg or more',
        percent: 32,
        leastKg: 10,
      }),
    ],
  },
  {
    code: 'gojek',
    name: 'GoSend',
    waybillPrefix: 'GK',
    services: [
      riderService('instant', {
        code: 'instant',
        name: 'Instant',
        description: 'A rider, door to door, within 40 km',
        perKm: 2_700,
        least: 20_000,
      }),
      riderService('same_day', {
        code: 'same_day',
        name: 'Same Day',
        description: 'Arrives the same day, within 40 km',
        perKm: 1_600,
        least: 17_000,
      }),
    ],
  },
  {
    code: 'grab',
    name: 'GrabExpress',
    waybillPrefix: 'GE',
    services: [
      riderService('instant', {
        code: 'instant',
        name: 'Instant',
        description: 'A rider, door to door, within 40 km',
        perKm: 2_600,
        least: 19_000,
      }),
      riderService('same_day', {
        code: 'same_day',
        name: 'Same Day',
        description: 'Arrives the same day, within 40 km',
        perKm: 1_550,
        least: 16_000,
      }),
    ],
  },
]

export const courierOf = (code: string): Courier | undefined =>
  COURIERS.find((courier) => courier.code === code)

/** What a regular parcel costs for each kilogram. */
export const PER_KG: Readonly<Record<Zone, number>> = {
  city: 9_000,
  province: 11_000,
  island: 18_000,
  near: 32_000,
  far: 45_000,
  remote: 88_000,
}
