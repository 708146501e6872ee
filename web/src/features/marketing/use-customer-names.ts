import { useQuery } from '@tanstack/react-query'
import { customersList } from 'kasir-client'
import { callAllRows } from '../../office/call-page.ts'

/** The names of customers by their ids; the id where a customer was erased. */
export function useCustomerNames(): (id: string) => string {
  const names = useQuery({
    queryKey: ['customerNames'],
    queryFn: async () => {
      const rows = await callAllRows(customersList, {}, ({ customers }) => customers)
      return new Map(rows.map(({ id, name }) => [id, name]))
    },
  })
  return (id) => names.data?.get(id) ?? id
}
