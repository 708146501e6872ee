import { fixed, table, whole } from '../../bench/lib/figures.ts'
import { bytesBySpan, type Cost, costOf, type Footprint, PARTS, type Part } from './cost.ts'
import { ASSUMPTION_NAMES, ASSUMPTIONS, type Assumptions, DEFAULTS, optionOf } from './cost-assumptions.ts'

/** The sizes of the table in docs/scaling.md. */
export const WORKSPACES = [1_000, 10_000, 100_000, 1_000_000] as const

const PART_NAMES: Readonly<Record<Part, string>> = {
  service: 'Service',
  database: 'Database',
  standby: 'Standby',
  disk: 'Disks of database and standby',
  archive: 'WAL archive and backups',
  balancer: 'Balancers',
}

const usd = (value: number) => (value < 10 ? fixed(value) : whole(value))
const tb = (gb: number) => `${fixed(gb / 1_000, gb < 10_000 ? 2 : 0)} TB`
const perSecond = (value: number) => (value < 10 ? fixed(value, 1) : whole(value))

const serviceText = ({ machines, cores }: Cost) =>
  `${machines.service} machines of ${cores.service / machines.service} cores`

function databaseText({ isCluster, installations, machines, cores }: Cost): string {
  if (!isCluster) return `one server of ${cores.database} cores`
  const coordinator = `of ${cores.coordinator / machines.coordinator} cores`
  const workers = `${machines.database} workers of ${cores.database / machines.database} cores`
  return installations === 1
    ? `cluster: coordinator ${coordinator}, ${workers}`
    : `${installations} clusters: coordinators ${coordinator}, ${workers} in all`
}

export function costTable(costs: readonly Cost[]): string {
  const row = (name: string, text: (cost: Cost) => string) => [name, ...costs.map(text)]
  return table(
    ['Workspaces', ...costs.map(({ workspaces }) => whole(workspaces))],
    [
      row('Sales a second at the peak', ({ salesPerSecond }) => perSecond(salesPerSecond)),
      row('Machines for the service', serviceText),
      row('Machines for the database, without standbys', databaseText),
      row('Data in one copy of the database', ({ dataGb }) => tb(dataGb)),
      row('Log at the peak', ({ logBytesPerSecond }) => `${perSecond(logBytesPerSecond / 1e6)} MB/s`),
      ...PARTS.map((part) => row(`${PART_NAMES[part]}, USD a month`, ({ parts }) => usd(parts[part]))),
      row('**Total, USD a month**', ({ total }) => `**${usd(total)}**`),
      row('**For 1,000 workspaces, USD a month**', ({ per1000 }) => `**${usd(per1000)}**`),
    ],
  )
}

const assumptionTable = (assumptions: Assumptions) =>
  table(
    ['Option', 'Value', 'Assumption'],
    ASSUMPTION_NAMES.map((name) => {
      const { unit, meaning } = ASSUMPTIONS[name]
      return [`\`--${optionOf(name)}\``, assumptions[name].toLocaleString('en-US'), `${unit} ${meaning}`]
    }),
  )

const micro = (value: number) => `${fixed(value / 1_000, 1)} ms`
const kb = (bytes: number) => `${fixed(bytes / 1_000, 1)} kB`

/** What a sale takes, for docs/capacity.md. */
export const footprintTables = (footprint: Footprint): string => {
  const { perSale } = footprint
  const { total, forGood, events, keys } = bytesBySpan(footprint)
  return `${table(
    ['', 'a sale'],
    [
      ['processor time of PostgreSQL', micro(perSale.databaseMicroseconds)],
      ['processor time of the service', micro(perSale.serviceMicroseconds)],
      ['tables and their indexes', kb(total)],
      ['written ahead (WAL)', kb(perSale.logBytes)],
    ],
  )}

Part of it is removed later:

${table(
  ['', 'kB a sale', 'kept'],
  [
    ['sale, items, payment, movements, sums of reports', fixed(forGood / 1_000, 1), 'for good'],
    ['events', fixed(events / 1_000, 1), '90 days (B-keep-1)'],
    ['the stored reply of its Idempotency-Key', fixed(keys / 1_000, 1), '24 hours'],
  ],
)}

${source(footprint)}`
}

const HALF_OF_TWO_CORES = 1
const TILL_PAUSE_S = 30
const SMALL_SHOP = 1_000
const YEAR = 365 * SMALL_SHOP
const EVENTS_KEPT = 90 * SMALL_SHOP

/** What a machine of two cores carries, for docs/capacity.md. */
export const smallMachineTable = (footprint: Footprint): string => {
  const { databaseMicroseconds, serviceMicroseconds } = footprint.perSale
  const { forGood, events, keys } = bytesBySpan(footprint)
  const ms = (databaseMicroseconds + serviceMicroseconds) / 1_000
  const perSecond = (HALF_OF_TWO_CORES * 1_000) / ms
  const quarter = perSecond / 4
  const gb = (bytes: number) => `${fixed(bytes / 1e9, 1)} GB`
  return table(
    ['', 'carries', 'calculated from'],
    [
      ['plain sales', `${whole(perSecond)} a second`, `one core over ${fixed(ms, 1)} ms`],
      [
        `tills that each ring up a sale every ${TILL_PAUSE_S} seconds`,
        whole(perSecond * TILL_PAUSE_S),
        `${whole(perSecond)} × ${TILL_PAUSE_S}`,
      ],
      [
        'sales a day, in ten busy hours at a quarter of that rate',
        `${fixed((quarter * 36_000) / 1e6, 1)} million`,
        `${whole(quarter)} × 36,000`,
      ],
      [
        'disk for 1,000 sales a day, first year',
        gb(YEAR * forGood + EVENTS_KEPT * events + SMALL_SHOP * keys),
        `365,000 × ${kb(forGood)}, 90,000 × ${kb(events)}, 1,000 × ${kb(keys)}`,
      ],
      ['disk for each year after it', gb(YEAR * forGood), `365,000 × ${kb(forGood)}`],
    ],
  )
}

const source = ({ measured, machine, loadAtEnd }: Footprint) =>
  `Measured on ${measured}: ${machine}, load average at the end ${fixed(loadAtEnd)} (\`bench/footprint.json\`).`

/** The result with everything that it follows from. */
export function costPage(
  footprint: Footprint,
  {
    workspaces = WORKSPACES,
    assumptions = DEFAULTS,
  }: { workspaces?: readonly number[]; assumptions?: Assumptions } = {},
): string {
  const { perSale } = footprint
  const { forGood, events } = bytesBySpan(footprint)
  return `${costTable(workspaces.map((count) => costOf(count, footprint, assumptions)))}

A sale takes ${micro(perSale.databaseMicroseconds)} of PostgreSQL, ${micro(perSale.serviceMicroseconds)} of the service, ${kb(perSale.logBytes)} of log, ${kb(forGood)} of disk for good and ${kb(events)} for 90 days. ${source(footprint)}

${assumptionTable(assumptions)}`
}
