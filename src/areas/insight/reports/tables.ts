import { type Csv, FIGURE_COLUMNS } from '../../../platform/http/csv.ts'
import type { Summary } from './schema.ts'
import type { ShiftReport } from './shift/schema.ts'

type Cell = string | number | null
type Flat = Readonly<Record<string, Cell>>

/** Rows of one shape as a table, its columns in the order of their fields. */
export function tableOf<Row extends Flat>(
  name: string,
  columns: readonly (keyof Row & string)[],
  list: readonly Row[],
): Csv {
  const rows = function* () {
    for (const row of list) yield columns.map((column) => row[column] ?? null)
  }
  return { name, columns, rows: rows() }
}

/** The tax at one rate, named after its basis points. */
const taxLine = ({ rateBps, tax }: { rateBps: number; tax: number }): [string, Cell] => [
  `tax ${rateBps}`,
  tax,
]

/** A line for each figure; those of a payment method are named after it. */
export function summaryTable({ byMethod, taxes, rows: _, ...figures }: Summary): Csv {
  const ofMethods = byMethod.flatMap(({ method, ...parts }) =>
    Object.entries(parts).map(([part, value]): [string, Cell] => [`${method} ${part}`, value]),
  )
  const ofRates = taxes.map(taxLine)
  const rows = [...Object.entries(figures), ...ofRates, ...ofMethods]
  return { name: 'summary', columns: FIGURE_COLUMNS, rows }
}

/** A line for each figure of a drawer. */
export function shiftTable({ shift, receipts, returned, outlet, cashMovements }: ShiftReport): Csv {
  const { summary, ...record } = shift
  const { byMethod, creditPayments, taxes, cash, ...sums } = summary
  const named = (prefix: string, part: object): [string, Cell][] =>
    Object.entries(part).map(([name, value]) => [`${prefix} ${name}`, value as Cell])
  const lines: [string, Cell][] = [
    ['outlet', outlet.name],
    ...Object.entries(record),
    ...named('receipts', receipts),
    ...Object.entries(sums),
    ...taxes.map(taxLine),
    ...byMethod.flatMap(({ method, ...parts }) => named(method, parts)),
    ...creditPayments.flatMap(({ method, ...parts }) => named(`credit paid ${method}`, parts)),
    ...Object.entries(returned).flatMap(([kind, parts]) => named(kind, parts)),
    ...named('cash', cash),
    ...cashMovements.map(({ type, category, reason, amount }): [string, Cell] => [
      [type, category, reason].flatMap((text) => text ?? []).join(' '),
      amount,
    ]),
  ]
  return { name: `shift-${shift.id}`, columns: FIGURE_COLUMNS, rows: lines }
}
