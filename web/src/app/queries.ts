import { QueryClient } from '@tanstack/react-query'

/**
 * The data that the pages read from the service. The cart and the catalogue are not here: they live on the device.
 */
export const queries = new QueryClient({
  defaultOptions: {
    // The client retries if that is safe.
    queries: { retry: false, staleTime: 5_000, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
})
