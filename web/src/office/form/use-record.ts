import { useQuery } from '@tanstack/react-query'

const ONCE = { staleTime: 0, gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false } as const

/** Reads the record that a form changes. It is read once: the form itself asks again before it saves. */
export const useRecord = <R>(key: readonly unknown[], read: () => Promise<R>, isEnabled = true) =>
  useQuery({ ...ONCE, queryKey: ['record', ...key], queryFn: read, enabled: isEnabled })

const EVERY_MS = 5_000

/** Reads a record, and again every five seconds while `isOpen`, because the service or a payer changes it meanwhile. */
export const useFollowedRecord = <R>(
  key: readonly unknown[],
  read: () => Promise<R>,
  isOpen: (record: R) => boolean,
) =>
  useQuery({
    ...ONCE,
    queryKey: ['record', ...key],
    queryFn: read,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isOpen(data as R) ? EVERY_MS : false),
  })
