import { useQuery } from '@tanstack/react-query'
import { type CustomerGroup, customerGroupsList } from 'kasir-client'
import { call } from '../../app/service.ts'

const NONE: readonly CustomerGroup[] = []

/** The customer groups; none until they are here. */
export const useGroups = (): readonly CustomerGroup[] =>
  useQuery({
    queryKey: ['customerGroups'],
    queryFn: async () => (await call(customerGroupsList)).customerGroups,
  }).data ?? NONE
