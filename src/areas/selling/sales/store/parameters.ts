import { type Columns, fieldsOf } from './columns.ts'

// PostgreSQL reads an array letter by letter, so the long texts of many rows come joined by a letter that no JSON holds.
const LONG: ReadonlySet<string> = new Set([
  'body',
  'prefix',
  'suffix',
  'sale',
  'sale_json',
  'warnings',
  'not_done',
  'cause',
])
const SEPARATOR = '\u0001'

/** The parameters of a statement: one for each column of each list, in the order of the lists. */
export function parametersOf(lists: readonly Columns[]) {
  const firstOf = (list: Columns): number =>
    lists.slice(0, lists.indexOf(list)).reduce((first, before) => first + Object.keys(before).length, 1)
  const bare = (list: Columns, name: string) =>
    `$${firstOf(list) + Object.keys(list).indexOf(name)}` as `$${number}`
  return {
    bare,
    of: (list: Columns, name: string) => `${bare(list, name)}::${list[name]}`,
    /** The rows of a list: an array for each column, long texts cut from one. */
    rowsOf: (list: Columns): string => {
      const arrays = Object.entries(list).map(([name, type]) =>
        LONG.has(name)
          ? `string_to_array(${bare(list, name)}::text, E'\\x01', '')`
          : `${bare(list, name)}::${type}[]`,
      )
      return `unnest(${arrays.join(', ')})`
    },
    /** The one row of a list. */
    rowOf: (list: Columns): string =>
      Object.entries(list)
        .map(([name, type]) => `${bare(list, name)}::${type} as ${name}`)
        .join(', '),
  }
}
export type Parameters = ReturnType<typeof parametersOf>

const valueAt = (row: object, field: string) => (row as Readonly<Record<string, unknown>>)[field] ?? null
const joined = (rows: readonly object[], field: string): string =>
  rows.map((row) => (valueAt(row, field) as string | null) ?? '').join(SEPARATOR)

export const valuesOfRows = (columns: Columns, rows: readonly object[]): unknown[] =>
  fieldsOf(columns).map(([column, field]) =>
    LONG.has(column) ? joined(rows, field) : rows.map((row) => valueAt(row, field)),
  )

export const valuesOfRow = (columns: Columns, row: object): unknown[] =>
  fieldsOf(columns).map(([, field]) => valueAt(row, field))
