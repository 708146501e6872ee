import { SearchX } from 'lucide-react'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useOfficeSearch } from '../search-state.ts'
import type { ListProps } from './column.ts'
import { ListFilters } from './list-filters.tsx'
import { ListTable } from './list-table.tsx'
import { useRows } from './use-rows.ts'

/** The one pattern of every list: title and actions, search and filters in the address, rows, the button for more. */
export function ListPage<Row>(props: ListProps<Row>) {
  const {
    title,
    columns,
    source,
    idOf,
    open,
    search,
    filters = [],
    actions,
    children,
    ErrorView = Failure,
    empty,
  } = props
  const t = useOfficeTexts()
  const [address, setAddress] = useOfficeSearch()
  const list = useRows({ columns, source, ...(search && { search }), address })
  const narrowed = ['q', ...filters.map(({ key }) => key)].filter((key) => address[key] !== undefined)
  const isCut = source.most !== undefined && list.count >= source.most
  const isNothing = list.isLoaded && list.count === 0
  const widen = () => void setAddress(Object.fromEntries(narrowed.map((key) => [key, null])))
  return (
    <section className="grid gap-4 p-4 sm:p-6">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="flex-[1_0_10rem] text-2xl font-bold">{title}</h1>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {(search !== undefined || filters.length > 0) && (
        <ListFilters {...(search && { searchLabel: search.label })} filters={filters} />
      )}
      {children}
      {list.error && (
        <ErrorView error={list.error}>
          <Button className="mt-2" onClick={list.retry}>
            {t('retry')}
          </Button>
        </ErrorView>
      )}
      {isNothing && narrowed.length === 0 && (
        <Empty icon={empty.icon} title={empty.title} text={empty.text}>
          <div className="mt-2">{empty.action}</div>
        </Empty>
      )}
      {isNothing && narrowed.length > 0 && (
        <Empty icon={SearchX} title={t('list.nothing')} text={t('list.nothingText')}>
          <Button className="mt-2" onClick={widen}>
            {t('list.widen')}
          </Button>
        </Empty>
      )}
      {list.count > 0 && (
        <ListTable title={title} columns={columns} rows={list.rows} idOf={idOf} {...(open && { open })} />
      )}
      <footer className="flex items-center justify-between gap-3 text-sm text-muted">
        <span role="status">
          {list.isBusy
            ? t('loading')
            : list.count > 0 &&
              t(isCut ? 'list.latest' : list.isComplete ? 'list.count' : 'list.countMore', { n: list.count })}
        </span>
        {list.hasMore && list.count > 0 && (
          <Button onClick={list.showMore} disabled={list.isBusy}>
            {t('list.more')}
          </Button>
        )}
      </footer>
    </section>
  )
}
