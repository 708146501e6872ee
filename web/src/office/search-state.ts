import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** The state of a page that its address holds: search, filters, sort order, the open record. */
export type OfficeSearch = Readonly<Record<string, string | undefined>>
export type SearchChange = Readonly<Record<string, string | null>>

/** Applies a change to the search of the address; null removes an entry. */
export function changed(search: OfficeSearch, change: SearchChange): Record<string, string> {
  const next: Record<string, string> = {}
  for (const [key, value] of Object.entries({ ...search, ...change }))
    if (value !== null && value !== undefined && value !== '') next[key] = value
  return next
}

type SetSearch = (change: SearchChange, isReplacement?: boolean) => Promise<void>

/** Reads and changes the search of the address. A replacement adds no step to the history. */
export function useOfficeSearch(): [OfficeSearch, SetSearch] {
  const search: OfficeSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = useCallback<SetSearch>(
    (change, isReplacement = false) =>
      navigate({
        to: '.',
        search: ((now: OfficeSearch) => changed(now, change)) as never,
        replace: isReplacement,
      }),
    [navigate],
  )
  return [search, set]
}
