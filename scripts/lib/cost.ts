import type { Assumptions } from './cost-assumptions.ts'

/** Measured by `npm run bench -- footprint`, which writes bench/footprint.json. */
export type Footprint = {
  measured: string
  machine: string
  loadAtEnd: number
  perSale: {
    databaseMicroseconds: number
    serviceMicroseconds: number
    logBytes: number
    tableBytes: Readonly<Record<string, number>>
  }
}

/** Tables whose rows are removed, and after how many days (B-keep-1). Every other row stays. */
const KEPT_DAYS: Readonly<Record<string, number>> = { events: 90, idempotency_keys: 1 }
const GB = 1e9
const HOUR_S = 3_600
const YEAR_DAYS = 365

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Bytes of a sale by how long they stay on the disk. */
export function bytesBySpan({ perSale }: Footprint) {
  const bytesIn = (isCounted: (table: string) => boolean) =>
    sum(Object.entries(perSale.tableBytes).flatMap(([table, bytes]) => (isCounted(table) ? [bytes] : [])))
  return {
    total: bytesIn(() => true),
    forGood: bytesIn((table) => KEPT_DAYS[table] === undefined),
    events: bytesIn((table) => table === 'events'),
    keys: bytesIn((table) => table === 'idempotency_keys'),
  }
}

/** The bytes on the disk after `days` with `salesPerDay`. */
function bytesAfter(days: number, salesPerDay: number, { perSale }: Footprint): number {
  const perTable = Object.entries(perSale.tableBytes).map(
    ([table, bytes]) => bytes * Math.min(days, KEPT_DAYS[table] ?? days),
  )
  return salesPerDay * sum(perTable)
}

export const PARTS = ['service', 'database', 'standby', 'disk', 'archive', 'balancer'] as const
export type Part = (typeof PARTS)[number]

export type Cost = {
  workspaces: number
  /** Installations that share nothing; more than one if no coordinator is large enough. */
  installations: number
  isCluster: boolean
  salesPerSecond: number
  logBytesPerSecond: number
  /** Cores of all machines of a kind. */
  cores: { service: number; database: number; coordinator: number }
  machines: { service: number; database: number; coordinator: number }
  /** Data on one copy of the database. */
  dataGb: number
  /** Disks of all copies, with the space that stays free. */
  diskGb: number
  objectGb: number
  /** USD a month. */
  parts: Readonly<Record<Part, number>>
  total: number
  per1000: number
}

type Load = {
  /** Sales a second. */
  peak: number
  dataGb: number
  footprint: Footprint
  assumptions: Assumptions
}

/** Cores that carry `ms` for each sale at the peak, with the headroom. */
const coresFor = (ms: number, { peak, assumptions }: Load) => (peak * ms) / 1_000 / (1 - assumptions.headroom)

const withReads = (microseconds: number, { assumptions }: Load) =>
  (microseconds / 1_000) * (1 + assumptions.reads)

/** The cores of a machine for PostgreSQL: machines come in the smallest size, twice that, and so on. */
function sizeFor(cores: number, { databaseCores }: Assumptions): number {
  let size = databaseCores
  while (size < cores) size *= 2
  return size
}

type Servers = Pick<Cost, 'cores' | 'machines' | 'isCluster' | 'installations'>

/** One server, if the largest machine and its disk carry the load; otherwise null. */
function oneServer(load: Load): Servers | null {
  const { assumptions, footprint } = load
  const { databaseMicroseconds, serviceMicroseconds } = footprint.perSale
  const cores = sizeFor(coresFor(withReads(databaseMicroseconds, load), load), assumptions)
  if (cores > Math.max(assumptions.largestCores, assumptions.databaseCores)) return null
  if (load.dataGb / assumptions.fill > assumptions.largestDisk) return null
  const service = serviceMachines(withReads(serviceMicroseconds, load), load, 1)
  return {
    isCluster: false,
    installations: 1,
    cores: { service: service * assumptions.serviceCores, database: cores, coordinator: 0 },
    machines: { service, database: 1, coordinator: 0 },
  }
}

/** Two machines at least for each installation, so that one may fail. */
const serviceMachines = (ms: number, load: Load, installations: number) =>
  Math.max(2 * installations, Math.ceil(coresFor(ms, load) / load.assumptions.serviceCores))

function cluster(load: Load): Servers {
  const { assumptions, footprint, dataGb } = load
  const { databaseMicroseconds, serviceMicroseconds } = footprint.perSale
  const { stepsDatabase, stepsService, databaseCores, largestCores, largestDisk, fill } = assumptions
  const needed = coresFor(assumptions.coordinator, load)
  const largest = Math.max(largestCores, databaseCores)
  const installations = Math.max(1, Math.ceil(needed / largest))
  const size = Math.min(sizeFor(needed / installations, assumptions), largest)
  const workerCores = coresFor(withReads(databaseMicroseconds * stepsDatabase, load), load)
  const workers = Math.max(
    2 * installations,
    Math.ceil(workerCores / databaseCores),
    Math.ceil(dataGb / fill / largestDisk),
  )
  const service = serviceMachines(withReads(serviceMicroseconds * stepsService, load), load, installations)
  return {
    isCluster: true,
    installations,
    cores: {
      service: service * assumptions.serviceCores,
      database: workers * databaseCores,
      coordinator: installations * size,
    },
    machines: { service, database: workers, coordinator: installations },
  }
}

/** The machines and the money of an installation with this many workspaces. */
export function costOf(workspaces: number, footprint: Footprint, assumptions: Assumptions): Cost {
  const { sales, hours, peak, years, fill, replicas, archiveDays, copies } = assumptions
  const salesPerDay = workspaces * sales
  const dataGb = bytesAfter(years * YEAR_DAYS, salesPerDay, footprint) / GB
  const salesPerSecond = (salesPerDay / (hours * HOUR_S)) * peak
  const load = { peak: salesPerSecond, dataGb, footprint, assumptions }
  const servers = oneServer(load) ?? cluster(load)
  const diskGb = (dataGb / fill) * (1 + replicas)
  const objectGb = dataGb * copies + (salesPerDay * footprint.perSale.logBytes * archiveDays) / GB
  const databasePrice =
    ((servers.cores.database + servers.cores.coordinator) / assumptions.databaseCores) *
    assumptions.databasePrice
  const parts = {
    service: servers.machines.service * assumptions.servicePrice,
    database: databasePrice,
    standby: databasePrice * replicas,
    disk: diskGb * assumptions.diskPrice,
    archive: objectGb * assumptions.objectPrice,
    balancer: servers.installations * assumptions.balancers * assumptions.balancerPrice,
  }
  const total = sum(Object.values(parts))
  return {
    workspaces,
    ...servers,
    salesPerSecond,
    logBytesPerSecond: salesPerSecond * footprint.perSale.logBytes,
    dataGb,
    diskGb,
    objectGb,
    parts,
    total,
    per1000: (total / workspaces) * 1_000,
  }
}
