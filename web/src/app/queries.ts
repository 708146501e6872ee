import { QueryClient } from '@tanstack/react-query'
import { useSession } from './session.ts'

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

/** Equal for every member of the outlet. Offline they stay for the next member, because nothing can be read again. */
const FOR_EVERY_MEMBER: ReadonlySet<unknown> = new Set([
  'kds',
  'serve',
  'floor',
  'floors',
  'bills',
  'sales',
  'sale',
])

/** Members read different data, so none of it is left for the next one. */
useSession.subscribe((now, before) => {
  const isSameShop = now.account?.id === before.account?.id && now.servedAccountId === before.servedAccountId
  if (isSameShop && now.member?.id === before.member?.id) return
  if (isSameShop && now.isProvisional)
    queries.removeQueries({ predicate: ({ queryKey: [key] }) => !FOR_EVERY_MEMBER.has(key) })
  else queries.clear()
})
