import { useOfficeSearch } from '../../office/search-state.ts'
import { CustomerEditor } from './customer-form.tsx'
import { CustomerList } from './customer-list.tsx'

/** Customers with their points, cards and sales. */
export function CustomersPage() {
  const [{ id }] = useOfficeSearch()
  return id === undefined ? <CustomerList /> : <CustomerEditor key={id} id={id} />
}
