import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { OfficeSearch } from '../search-state.ts'
import type { Column, ListProps } from './column.ts'

/** How many rows are painted before the button for more. */
const STEP = 100

type RowsRequest<Row> = Pick<ListProps<Row>, 'columns' | 'source' | 'search'> & { address: OfficeSearch }

const order = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a).localeCompare(String(b), 'id', { numeric: true })

function sorted<Row>(rows: readonly Row[], column: Column<Row> | undefined, isDown: boolean): readonly Row[] {
  const sortBy = column?.sortBy
  if (sortBy === undefined) return rows
  const direction = isDown ? -1 : 1
  return rows.toSorted((a, b) => direction * order(sortBy(a), sortBy(b)))
}

/**
 * The rows of a list: page after page in the order of the service. Sorting and searching in the browser need every row,
 * so they read the remaining pages first.
 */
export function useRows<Row>({ columns, source, search, address }: RowsRequest<Row>) {
  const [limit, setLimit] = useState(STEP)
  const query = useInfiniteQuery({
    queryKey: source.key,
    queryFn: ({ pageParam }) => source.read(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: (before) => before,
    refetchInterval: source.everyMs ?? false,
  })
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isError } = query
  const sort = address['sort'] ?? ''
  const isDown = sort.startsWith('-')
  const column = columns.find(({ key }) => key === sort.replace('-', ''))
  const text = (address['q'] ?? '').trim().toLowerCase()
  const matches = search?.matches
  const needsAll = column !== undefined || (matches !== undefined && text !== '')
  useEffect(() => {
    if (needsAll && hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage()
  }, [needsAll, hasNextPage, isFetchingNextPage, isError, fetchNextPage])
  const all = useMemo(() => query.data?.pages.flatMap(({ rows }) => rows) ?? [], [query.data])
  const rows = useMemo(() => {
    const found = matches !== undefined && text !== '' ? all.filter((row) => matches(row, text)) : all
    return sorted(found, column, isDown)
  }, [all, matches, text, column, isDown])
  const showMore = () => {
    setLimit((now) => now + STEP)
    if (rows.length < limit + STEP && hasNextPage) void fetchNextPage()
  }
  return {
    rows: rows.slice(0, limit),
    count: rows.length,
    hasMore: rows.length > limit || hasNextPage,
    isComplete: !hasNextPage,
    isBusy: query.isPending || isFetchingNextPage || query.isPlaceholderData,
    isLoaded: query.isSuccess && !query.isPlaceholderData && !(needsAll && hasNextPage),
    error: query.error,
    retry: () => void (query.data === undefined ? query.refetch() : fetchNextPage()),
    showMore,
  }
}
