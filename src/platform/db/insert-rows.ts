import type pg from 'pg'
import { assert } from '../../core/assert.ts'
import type { AccountId } from '../scope.ts'
import { camelOf } from './names.ts'
import { isSharded, isTransaction, namedWrite, together, type WriteDb } from './open.ts'
import { type WriteStatement, writeStatement } from './statement.ts'

/** Columns by the types of their parameters. */
type Columns = Readonly<Record<string, string>>

/** Rows of one statement where they are written one by one; more go out in several. */
const MOST = 50

const portioned = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / MOST) }, (_, n) => rows.slice(n * MOST, (n + 1) * MOST))

type Spec = {
  /** Of the statement; begins those of its forms. */
  name: string
  /** The table, and an alias where `rest` needs one. */
  into: string
  /** Columns that all rows of a call share, beside the workspace. */
  shared?: Columns
  columns: Columns
  /**
   * Columns that few rows have, nullable and without a default: where rows are spread over workers, each value of each row is
   * planned twice, so they stay out of a statement of whose rows none has one.
   */
  rare?: readonly string[]
  /** What stands behind the rows. */
  rest?: string
  /** How many rows travel as one value each: an array a column, or, where most columns are empty, one JSON text. */
  as?: 'arrays' | 'json'
}

type Field = { column: string; field: string; isJson: boolean }
const fieldsOf = (columns: Columns): Field[] =>
  Object.entries(columns).map(([column, type]) => ({
    column,
    field: camelOf(column),
    isJson: type === 'jsonb',
  }))

const plainValueOf = (row: object, { field }: Field): unknown =>
  (row as Readonly<Record<string, unknown>>)[field] ?? null

/** The driver would send a JSON string bare and an array as PostgreSQL's. */
function valueOf(row: object, field: Field): unknown {
  const value = plainValueOf(row, field)
  return field.isJson && value !== null ? JSON.stringify(value) : value
}

/** What a row does not have is left out: json_to_recordset reads an absent key as null, and every byte is scanned twice. */
const printedRow = (row: object, fields: readonly Field[]) =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = plainValueOf(row, field)
      return value === null ? [] : [[field.column, value]]
    }),
  )

const FORMS = {
  arrays: {
    source: (columns: Columns, first: number) =>
      `unnest(${Object.values(columns)
        .map((type, at) => `$${first + at}::${type}[]`)
        .join(', ')}) as x(${Object.keys(columns).join(', ')})`,
    values: (rows: readonly object[], fields: readonly Field[]) =>
      fields.map((field) => rows.map((row) => valueOf(row, field))),
  },
  json: {
    source: (columns: Columns, first: number) =>
      `json_to_recordset($${first}::json) as x(${Object.entries(columns)
        .map(([column, type]) => `${column} ${type}`)
        .join(', ')})`,
    values: (rows: readonly object[], fields: readonly Field[]) => [
      JSON.stringify(rows.map((row) => printedRow(row, fields))),
    ],
  },
} as const

/**
 * Declares an insert of any number of rows into one workspace, in order, from one list of columns in two forms: values that
 * one text of one plan unfolds, and, where rows are spread over workers, the rows themselves, since a select would be
 * carried out on the coordinator and written to all workers at once (docs/scaling.md). A field that a row does not have
 * is null.
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
    `${name} writes each column that it calls rare`,
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
  /** Statements by the number of their rows, of the columns given. */
  const unfoldedAs = (form: string, some: Columns) => {
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
    assert(isTransaction(db), 'rows that go out in several statements are written in a transaction')
    const portionOf = (some: readonly Row[]) => {
      const { fields: sent, statementOf } = rare.length > 0 && !some.some(hasRare) ? usual : whole
      const values = [...given, ...some.flatMap((row) => sent.map((field) => valueOf(row, field)))]
      return { statement: statementOf(some.length), values }
    }
    // One behind the other: whoever sends something behind them finds all of them locked in their order.
    const portions = portioned(rows).map(portionOf)
    const write = ({ statement, values }: (typeof portions)[number]) =>
      namedWrite<Answer>(db, statement, values)
    return (await together(portions.map(write))).flat()
  }
}
