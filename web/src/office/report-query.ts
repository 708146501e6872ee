import { notifyManager, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Operation } from 'kasir-client'
import { useCallback, useSyncExternalStore } from 'react'
import { callWithMeta } from './call-page.ts'

/** Figures this much older than their answer are worth a word. */
const NOTICEABLE_MS = 5_000

/** `asOf` is the oldest instant of the answers that lag noticeably; null if none does. */
type DatedValue<T> = { value: T; asOf: string | null }
type AskReport = <I, D>(operation: Operation<I, D>, input: I) => Promise<D>
type ReportQuery<T> = {
  queryKey: QueryKey
  enabled?: boolean
  /** `computedAt` gets the instant of each answer's figures, by the clock of the service. */
  read(ask: AskReport, computedAt: string[]): Promise<T>
}

/** A query of reports, which the service may read from a replica that is behind (`useOldestAsOf`). */
export const useReportQuery = <T>({ queryKey, enabled = true, read }: ReportQuery<T>) =>
  useQuery({
    queryKey,
    enabled,
    meta: { isReport: true },
    queryFn: async (): Promise<DatedValue<T>> => {
      const late: string[] = []
      const computedAt: string[] = []
      const value = await read(async (operation, input) => {
        const { data, meta } = await callWithMeta(operation, input)
        const { asOf, timestamp } = meta
        computedAt.push(asOf ?? timestamp)
        if (asOf !== undefined && Date.parse(timestamp) - Date.parse(asOf) > NOTICEABLE_MS) late.push(asOf)
        return data
      }, computedAt)
      return { value, asOf: late.toSorted()[0] ?? null }
    },
    select: ({ value }) => value,
  })

/** The oldest instant of the figures on this page that lag noticeably; null if none does. */
export function useOldestAsOf(): string | null {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback(
    (onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)),
    [cache],
  )
  return useSyncExternalStore(subscribe, () => {
    const shown = cache.findAll({ type: 'active', predicate: ({ meta }) => meta?.['isReport'] === true })
    const instants = shown.flatMap(({ state }) => (state.data as DatedValue<unknown> | undefined)?.asOf ?? [])
    return instants.toSorted()[0] ?? null
  })
}
