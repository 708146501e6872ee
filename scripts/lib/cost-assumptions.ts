type Assumption = { value: number; unit: string; meaning: string; min: number; max: number }

/**
 * What scripts/cost.ts assumes and cannot measure. Each is an option of `npm run cost`: `databaseCores` is
 * --database-cores. Prices are list prices of ordinary providers in USD a month, not those of a certain one.
 */
export const ASSUMPTIONS = {
  sales: { value: 100, unit: 'sales', meaning: 'a workspace makes on a day', min: 0, max: 1e6 },
  hours: { value: 10, unit: 'hours', meaning: 'of a day in which they are made', min: 1, max: 24 },
  peak: {
    value: 4,
    unit: 'times',
    meaning: 'the mean of these hours, at the busiest moment',
    min: 1,
    max: 100,
  },
  reads: {
    value: 1,
    unit: 'times',
    meaning: 'the processor time of sales, for reads, reports, jobs and webhooks',
    min: 0,
    max: 100,
  },
  headroom: { value: 0.5, unit: 'share', meaning: 'of the cores that is free at the peak', min: 0, max: 0.9 },
  years: { value: 2, unit: 'years', meaning: 'of sales on the disk', min: 0.1, max: 30 },
  fill: { value: 0.7, unit: 'share', meaning: 'of the disk that may be used', min: 0.1, max: 1 },
  serviceCores: { value: 4, unit: 'cores', meaning: 'of a machine for the service', min: 1, max: 256 },
  servicePrice: { value: 40, unit: 'USD', meaning: 'for that machine (8 GB of memory)', min: 0, max: 1e6 },
  databaseCores: {
    value: 8,
    unit: 'cores',
    meaning: 'of the smallest machine for PostgreSQL',
    min: 1,
    max: 256,
  },
  databasePrice: {
    value: 200,
    unit: 'USD',
    meaning: 'for that machine (64 GB of memory); one of twice the cores costs twice as much',
    min: 0,
    max: 1e6,
  },
  largestCores: {
    value: 64,
    unit: 'cores',
    meaning: 'of the largest machine that you rent',
    min: 1,
    max: 1024,
  },
  largestDisk: { value: 8_000, unit: 'GB', meaning: 'of the largest disk of one server', min: 100, max: 1e6 },
  replicas: { value: 1, unit: 'standbys', meaning: 'for each server of the database', min: 0, max: 5 },
  diskPrice: { value: 0.08, unit: 'USD', meaning: 'for a GB of network SSD', min: 0, max: 100 },
  objectPrice: { value: 0.02, unit: 'USD', meaning: 'for a GB of object storage', min: 0, max: 100 },
  archiveDays: { value: 7, unit: 'days', meaning: 'of write-ahead log in the archive', min: 0, max: 3650 },
  copies: {
    value: 2,
    unit: 'copies',
    meaning: 'of all data in object storage, not compressed',
    min: 0,
    max: 100,
  },
  balancers: { value: 2, unit: 'balancers', meaning: 'in front of the service', min: 0, max: 100 },
  balancerPrice: { value: 20, unit: 'USD', meaning: 'for a balancer', min: 0, max: 1e6 },
  stepsDatabase: {
    value: 1.8,
    unit: 'times',
    meaning: 'the time of PostgreSQL for a sale on the workers of a cluster',
    min: 1,
    max: 10,
  },
  stepsService: { value: 2, unit: 'times', meaning: 'the time of the service for it', min: 1, max: 10 },
  coordinator: {
    value: 3,
    unit: 'ms',
    meaning: 'of the coordinator for a sale of twelve statements',
    min: 0,
    max: 100,
  },
} as const satisfies Record<string, Assumption>

export type AssumptionName = keyof typeof ASSUMPTIONS
export type Assumptions = Readonly<Record<AssumptionName, number>>

export const ASSUMPTION_NAMES = Object.keys(ASSUMPTIONS) as AssumptionName[]

export const DEFAULTS = Object.fromEntries(
  ASSUMPTION_NAMES.map((name) => [name, ASSUMPTIONS[name].value]),
) as Assumptions

export const optionOf = (name: AssumptionName): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
