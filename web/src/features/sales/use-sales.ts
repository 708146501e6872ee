import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type SaleRow, salesList } from 'kasir-client'
import { useEffect, useState } from 'react'
import { call } from '../../app/service.ts'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import { startOfToday } from './today.ts'

const TYPING_MS = 300

/** The text, debounced. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}

/**
 * The sales of today at an outlet, newest first, page after page. A text filters the loaded ones by number and note, and adds the sales of any day and outlet with exactly this number.
 */
export function useSales(outlet: { id: string; timezone: string } | undefined, text: string) {
  const since = startOfToday(outlet?.timezone ?? 'Asia/Jakarta', new Date())
  const number = useDebounced(text)
  const today = useInfiniteQuery({
    queryKey: ['sales', outlet?.id],
    queryFn: ({ pageParam }) =>
      callPage(
        salesList,
        {
          outletId: outlet?.id ?? '',
          completedFrom: since,
          limit: PAGE_ROWS,
          ...(pageParam !== null && { cursor: pageParam }),
        },
        (rows) => rows,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
    enabled: outlet !== undefined,
  })
  const found = useQuery({
    queryKey: ['sales', 'number', number],
    queryFn: () => call(salesList, { q: number, limit: PAGE_ROWS }),
    enabled: number !== '',
  })
  const wanted = text.toLowerCase()
  const narrowed = (today.data?.pages ?? [])
    .flatMap(({ rows }) => rows)
    .filter((row) => `${row.number} ${row.note ?? ''}`.toLowerCase().includes(wanted))
  const ids = new Set(narrowed.map(({ id }) => id))
  const others: readonly SaleRow[] = text === '' || number !== text ? [] : (found.data ?? [])
  return {
    rows: [...narrowed, ...others.filter(({ id }) => !ids.has(id))],
    /** The instant at which the day of the outlet began. */
    since,
    hasMore: today.hasNextPage,
    isBusy: today.isFetchingNextPage,
    isLoaded: today.isSuccess && (text === '' || (number === text && found.isSuccess)),
    error: today.error ?? found.error,
    showMore: () => void today.fetchNextPage(),
  }
}
