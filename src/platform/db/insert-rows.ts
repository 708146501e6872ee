import type pg from 'pg'
import { assert } from '../../core/assert.ts'
import type { AccountId } from '../scope.ts'
import { camelOf } from './names.ts'
import { isSharded, isTransaction, namedWrite, together, type WriteDb } from './open.ts'
import { type WriteStatement, writeStatement } from './statement.ts'

/** Column names with the SQL types of their parameters. */
type ColumnTypes = Readonly<Record<string, string>>

/** The most rows in one statement of a sharded database; more rows need several statements. */
const MOST = 50

const portioned = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / MOST) }, (_, n) => rows.slice(n * MOST, (n + 1) * MOST))

type Spec = {
  /** The name of the statement, and the prefix of its variants' names. */
  name: string
  /** The table, with an alias if `rest` needs one. */
  into: string
  /** Columns with one value for all rows of a call, besides the workspace. */
  shared?: ColumnTypes
  columns: ColumnTypes
  /**
   * Nullable columns without a default that few rows have. A sharded database plans each value of each row twice, so a
   * statement omits these columns if none of its rows has one.
   */
  rare?: readonly string[]
  /** SQL that follows the rows. */
  rest?: string
  /** How rows are sent: one array for each column, or, if most columns are empty, one JSON text. */
  as?: 'arrays' | 'json'
}

type Field = { column: string; field: string; isJson: boolean }
const fieldsOf = (columns: ColumnTypes): Field[] =>
  Object.entries(columns).map(([column, type]) => ({
    column,
    field: camelOf(column),
    isJson: type === 'jsonb',
  }))

const plainValueOf = (row: object, { field }: Field): unknown =>
  (row as Readonly<Record<string, unknown>>)[field] ?? null

/** The driver would send a JSON string without quotes, and a JSON array as a PostgreSQL array. */
function valueOf(row: object, field: Field): unknown {
  const value = plainValueOf(row, field)
  return field.isJson && value !== null ? JSON.stringify(value) : value
}

/** Omits empty fields: json_to_recordset reads an absent key as null, and scans every byte twice. */
const printedRow = (row: object, fields: readonly Field[]) =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = plainValueOf(row, field)
      return value === null ? [] : [[field.column, value]]
    }),
  )

const FORMS = {
  arrays: {
    source: (columns: ColumnTypes, first: number) =>
      `unnest(${Object.values(columns)
        .map((type, at) => `$${first + at}::${type}[]`)
        .join(', ')}) as x(${Object.keys(columns).join(', ')})`,
    values: (rows: readonly object[], fields: readonly Field[]) =>
      fields.map((field) => rows.map((row) => valueOf(row, field))),
  },
  json: {
    source: (columns: ColumnTypes, first: number) =>
      `json_to_recordset($${first}::json) as x(${Object.entries(columns)
        .map(([column, type]) => `${column} ${type}`)
        .join(', ')})`,
    values: (rows: readonly object[], fields: readonly Field[]) => [
      JSON.stringify(rows.map((row) => printedRow(row, fields))),
    ],
  },
} as const

/**
 * Declares an insert of any number of rows into one workspace, in order. Plain PostgreSQL unfolds the rows from its
 * parameters, with one text and one plan for every number of rows. A sharded database gets them as VALUES, since it
 * would run a select on the coordinator and write to all workers in parallel (docs/scaling.md). A field that a row
 * lacks is null.
 */
export function rowsInsert<Row extends object, Answer extends pg.QueryResultRow = never>({
  name,
  into,
  shared = {},
  columns,
  rare = [],
  rest = '',
  as = 'arrays',
}: Spec) {
  const names = Object.keys(columns)
  assert(
    rare.every((column) => names.includes(column)),
    `every rare column of ${name} is one of its columns`,
  )
  const common = ['$1::text', ...Object.values(shared).map((type, at) => `$${at + 2}::${type}`)]
  const first = common.length + 1
  const headOf = (some: readonly string[]) =>
    `insert into ${into} (${['account_id', ...Object.keys(shared), ...some].join(', ')})`
  const form = FORMS[as]
  const folded = writeStatement(
    name,
    `${headOf(names)} select ${[...common, ...names.map((column) => `x.${column}`)].join(', ')} from ${form.source(columns, first)} ${rest}`,
  )
  /** Creates the VALUES statements for these columns: one for each number of rows. */
  const unfoldedAs = (form: string, some: ColumnTypes) => {
    const types = Object.values(some)
    const rowText = (row: number) =>
      `(${[...common, ...types.map((type, at) => `$${first + row * types.length + at}::${type}`)].join(', ')})`
    const byCount = new Map<number, WriteStatement>()
    const statementOf = (count: number): WriteStatement => {
      const rows = () => Array.from({ length: count }, (_, row) => rowText(row)).join(', ')
      const known =
        byCount.get(count) ??
        writeStatement(`${form}_${count}`, `${headOf(Object.keys(some))} values ${rows()} ${rest}`)
      byCount.set(count, known)
      return known
    }
    return { fields: fieldsOf(some), statementOf }
  }
  const fields = fieldsOf(columns)
  const whole = unfoldedAs(name, columns)
  const usual = unfoldedAs(
    `${name}_usual`,
    Object.fromEntries(Object.entries(columns).filter(([column]) => !rare.includes(column))),
  )
  const rareFields = fields.filter(({ column }) => rare.includes(column))
  const hasRare = (row: Row) => rareFields.some((field) => plainValueOf(row, field) !== null)
  const sharedFields = fieldsOf(shared)

  return async (
    db: WriteDb,
    { accountId }: { readonly accountId: AccountId },
    rows: readonly Row[],
    all: object = {},
  ): Promise<Answer[]> => {
    const given = [accountId, ...sharedFields.map((field) => valueOf(all, field))]
    if (!isSharded(db)) return namedWrite<Answer>(db, folded, [...given, ...form.values(rows, fields)])
    assert(isTransaction(db), 'an insert into a sharded database runs in a transaction')
    const portionOf = (some: readonly Row[]) => {
      const { fields: sent, statementOf } = rare.length > 0 && !some.some(hasRare) ? usual : whole
      const values = [...given, ...some.flatMap((row) => sent.map((field) => valueOf(row, field)))]
      return { statement: statementOf(some.length), values }
    }
    // Sent in order, so a later statement finds all these rows locked in that order.
    const portions = portioned(rows).map(portionOf)
    const write = ({ statement, values }: (typeof portions)[number]) =>
      namedWrite<Answer>(db, statement, values)
    return (await together(portions.map(write))).flat()
  }
}
