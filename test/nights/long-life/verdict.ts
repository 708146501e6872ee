import type { Sample, TableSize } from './samples.ts'

const MIB = 2 ** 20

export type Line = { what: string; second: string; last: string; limit: string; isFlat: boolean }

type Figure = {
  what: string
  read(sample: Sample): number
  /** The last quarter may exceed the second by this share, and by this much. */
  share: number
  slack: number
  show(value: number): string
}

const inMib = (bytes: number) => `${(bytes / MIB).toFixed(1)} MiB`
const inKib = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`
const whole = (value: number) => value.toFixed(0)
const inMs = (ms: number) => `${ms.toFixed(1)} ms`

/** What must not grow while the service lives. The times have slack for other work on the machine. */
const FIGURES: readonly Figure[] = [
  { what: 'heap after a collection', read: (s) => s.heapBytes, share: 0, slack: 1.5 * MIB, show: inMib },
  { what: 'resident memory', read: (s) => s.rssBytes, share: 0.1, slack: 16 * MIB, show: inMib },
  {
    what: 'memory of PostgreSQL',
    read: (s) => s.postgresBytes,
    share: 0.15,
    slack: 16 * MIB,
    show: inMib,
  },
  { what: 'file descriptors', read: (s) => s.descriptors, share: 0, slack: 6, show: whole },
  { what: 'active resources of Node', read: (s) => s.resources, share: 0, slack: 8, show: whole },
  { what: 'database connections', read: (s) => s.connections, share: 0.2, slack: 2, show: whole },
  { what: 'event loop delay, p99', read: (s) => s.loopP99Ms, share: 1, slack: 20, show: inMs },
  { what: 'time of a sale, p99', read: (s) => s.saleP99Ms, share: 1, slack: 100, show: inMs },
]

/** The middle value: one sample taken beside other work of the machine decides nothing. */
const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

const quarter = (samples: readonly Sample[], index: number) => {
  const size = samples.length / 4
  return samples.slice(Math.round(index * size), Math.round((index + 1) * size))
}

/** The second quarter of the samples against the last; the first is warm-up. */
export function judge(samples: readonly Sample[]): Line[] {
  const [second, last] = [quarter(samples, 1), quarter(samples, 3)]
  const figures = FIGURES.map(({ what, read, share, slack, show }): Line => {
    const [before, after] = [median(second.map(read)), median(last.map(read))]
    const most = before * (1 + share) + slack
    return { what, second: show(before), last: show(after), limit: `≤ ${show(most)}`, isFlat: after <= most }
  })
  const [before, after] = [second.at(-1), last.at(-1)]
  return before && after ? [...figures, ...judgeTables(before, after)] : figures
}

const SMALLEST_TABLE = MIB
/** Below this share of new rows a table counts as one whose rows are replaced, not added. */
const STEADY = 0.1
const SIZE_SHARE = 0.15
const SIZE_SLACK = MIB
/** A page of an index that is filled in order is 90 % full, one that splits in the middle 50 to 70 %. */
const LEAST_DENSITY = 45
const DENSITY_LOSS = 12

/** Rows that stay steady must not need more space; history grows by the same bytes per row. */
function judgeTables(before: Sample, after: Sample): Line[] {
  return after.tables
    .filter(({ bytes }) => bytes >= SMALLEST_TABLE)
    .flatMap((table) => {
      const earlier = before.tables.find((one) => one.table === table.table)
      return earlier ? [judgeTable(earlier, table), ...judgeIndexes(earlier, table)] : []
    })
}

function judgeTable(earlier: TableSize, later: TableSize): Line {
  const { table } = later
  const perRow = ({ bytes, rows }: TableSize) => bytes / Math.max(1, rows)
  if (later.rows > earlier.rows * (1 + STEADY)) {
    const most = perRow(earlier) * (1 + SIZE_SHARE)
    const show = (value: number) => `${value.toFixed(0)} B per row`
    return {
      what: `${table}: ${earlier.rows} → ${later.rows} rows`,
      second: show(perRow(earlier)),
      last: show(perRow(later)),
      limit: `≤ ${show(most)}`,
      isFlat: perRow(later) <= most,
    }
  }
  const most = earlier.bytes * (1 + SIZE_SHARE) + SIZE_SLACK
  return {
    what: `${table}: ${earlier.rows} → ${later.rows} rows, steady`,
    second: inMib(earlier.bytes),
    last: inMib(later.bytes),
    limit: `≤ ${inMib(most)}`,
    isFlat: later.bytes <= most,
  }
}

function judgeIndexes({ leafDensity: before }: TableSize, { table, leafDensity: after }: TableSize): Line[] {
  if (before === null || after === null) return []
  const least = Math.min(LEAST_DENSITY, before - DENSITY_LOSS)
  return [
    {
      what: `${table}: leaves of its indexes`,
      second: `${before.toFixed(0)} % full`,
      last: `${after.toFixed(0)} % full`,
      limit: `≥ ${least.toFixed(0)} %`,
      isFlat: after >= least,
    },
  ]
}

/** What autovacuum had to do with: the tables that it visited, with the most dead rows that a sample found. */
export function printVacuums(samples: readonly Sample[], say: (line: string) => void) {
  const last = samples.at(-1)?.tables ?? []
  for (const { table, vacuums, rows, bytes } of last) {
    if (vacuums === 0) continue
    const dead = samples.map(({ tables }) => tables.find((one) => one.table === table)?.deadRows ?? 0)
    const sizes = samples.map(({ tables }) => tables.find((one) => one.table === table)?.bytes ?? 0)
    say(
      `vacuum of ${table}: ${vacuums} times, at most ${Math.max(...dead)} dead rows, median ${median(dead)}; ${rows} rows in ${inKib(bytes)}, at most ${inKib(Math.max(...sizes))}`,
    )
  }
}

export function printLines(lines: readonly Line[], say: (line: string) => void) {
  const rows = [
    { what: 'What', second: 'Second quarter', last: 'Last quarter', limit: 'Limit', result: '' },
    ...lines.map((line) => ({ ...line, result: line.isFlat ? '' : 'GROWS' })),
  ]
  const widthOf = (name: 'what' | 'second' | 'last' | 'limit') =>
    Math.max(...rows.map((row) => row[name].length))
  for (const row of rows)
    say(
      `${row.what.padEnd(widthOf('what'))}  ${row.second.padStart(widthOf('second'))}  ${row.last.padStart(widthOf('last'))}  ${row.limit.padStart(widthOf('limit'))}  ${row.result}`.trimEnd(),
    )
}
