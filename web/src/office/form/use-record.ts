import { useQuery } from '@tanstack/react-query'

/** Reads the record that a form changes. It is read once: the form itself asks again before it saves. */
export function useRecord<R>(key: readonly unknown[], read: () => Promise<R>, isEnabled = true) {
  return useQuery({
    queryKey: ['record', ...key],
    queryFn: read,
    enabled: isEnabled,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}
