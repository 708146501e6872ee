import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { classes } from '../../ui/classes.ts'
import { changed, type OfficeSearch, useOfficeSearch } from '../search-state.ts'
import type { Column, ListProps } from './column.ts'

const FROM = { sm: 'hidden sm:table-cell', md: 'hidden md:table-cell', xl: 'hidden xl:table-cell' } as const

type TableProps<Row> = Pick<ListProps<Row>, 'title' | 'columns' | 'idOf' | 'open'> & { rows: readonly Row[] }

/** Arrow keys, Home and End move between the rows; Enter opens one. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  const rows = event.currentTarget.closest('tbody')
  const links = [...(rows?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])]
  const at = links.indexOf(event.currentTarget)
  const targets: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: links.length - 1,
  }
  const next = targets[event.key]
  if (at === -1 || next === undefined) return
  event.preventDefault()
  links[next]?.focus()
}

export function ListTable<Row>({ title, columns, rows, idOf, open }: TableProps<Row>) {
  return (
    <div className="overflow-hidden rounded-xl border bg-panel">
      <table aria-label={title} className="w-full border-collapse text-sm">
        <thead className="border-b bg-ground text-left text-muted">
          <tr>
            {columns.map((column) => (
              <Heading key={column.key} column={column} />
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((row) => (
            <tr key={idOf(row)} className={classes('relative', open && 'hover:bg-line/40')}>
              {columns.map(({ key, cell, isAmount, from }, at) => (
                <td
                  key={key}
                  className={classes(
                    'h-11 px-3 py-2',
                    at === 0 &&
                      'w-full max-w-0 min-w-40 font-medium [&_*]:wrap-anywhere wrap-anywhere sm:w-auto sm:max-w-80',
                    isAmount && 'amount',
                    from && FROM[from],
                  )}
                >
                  {at === 0 && open ? (
                    <Link
                      to="."
                      search={((now: OfficeSearch) => changed(now, open(row))) as never}
                      data-row
                      onKeyDown={moveBetweenRows}
                      className="block after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-brand"
                    >
                      {cell(row)}
                    </Link>
                  ) : (
                    cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Heading<Row>({ column }: { column: Column<Row> }) {
  const [address, setAddress] = useOfficeSearch()
  const { key, title, sortBy, isAmount, from } = column
  const look = classes('h-11 px-3 font-medium', isAmount && 'text-right', from && FROM[from])
  if (sortBy === undefined)
    return (
      <th scope="col" className={look}>
        {title}
      </th>
    )
  const isUp = address['sort'] === key
  const isDown = address['sort'] === `-${key}`
  const next = isUp ? `-${key}` : isDown ? null : key
  return (
    <th scope="col" aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'} className={look}>
      <button
        type="button"
        className={classes(
          '-mx-1 inline-flex min-h-9 items-center gap-1 rounded-lg px-1 font-medium hover:text-text',
          isAmount && 'flex-row-reverse',
        )}
        onClick={() => void setAddress({ sort: next }, true)}
      >
        {title}
        {isUp && <ArrowUp aria-hidden size={14} />}
        {isDown && <ArrowDown aria-hidden size={14} />}
      </button>
    </th>
  )
}
