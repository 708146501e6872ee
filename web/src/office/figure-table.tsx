import type { ReactNode } from 'react'
import { classes } from '../ui/classes.ts'

export type FigureColumn<Row> = {
  key: string
  title: string
  cell(row: Row): ReactNode
  /** The sum of the column; the rows add up to it. */
  total?: string | undefined
  isText?: boolean
  from?: 'sm' | 'md'
}

type FigureTableProps<Row> = {
  label: string
  rows: readonly Row[]
  columns: readonly FigureColumn<Row>[]
  idOf(row: Row): string
  totalLabel: string
  nothing: string
}

const FROM = { sm: 'hidden sm:table-cell', md: 'hidden md:table-cell' } as const

/** The rows of a report with their sums in the last line. */
export function FigureTable<Row>({ label, rows, columns, idOf, totalLabel, nothing }: FigureTableProps<Row>) {
  if (rows.length === 0) return <p className="p-4 text-muted">{nothing}</p>
  const look = (column: FigureColumn<Row>, at: number) =>
    classes(
      'px-4 py-2',
      at === 0 || column.isText ? 'text-left break-words' : 'amount',
      column.from && FROM[column.from],
    )
  return (
    <table aria-label={label} className="w-full border-collapse text-sm">
      <thead className="border-b text-muted">
        <tr>
          {columns.map((column, at) => (
            <th key={column.key} scope="col" className={classes(look(column, at), 'font-medium')}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">
        {rows.map((row) => (
          <tr key={idOf(row)}>
            {columns.map((column, at) => (
              <td key={column.key} className={look(column, at)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {columns.some(({ total }) => total !== undefined) && (
        <tfoot className="border-t-2 font-semibold">
          <tr>
            {columns.map((column, at) => (
              <td key={column.key} className={look(column, at)}>
                {at === 0 ? totalLabel : (column.total ?? '')}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  )
}
