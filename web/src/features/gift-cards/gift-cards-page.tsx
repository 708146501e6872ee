import { useOfficeSearch } from '../../office/search-state.ts'
import { CardDetail } from './card-detail.tsx'
import { CardForm } from './card-form.tsx'
import { CardList } from './card-list.tsx'

/** Gift cards and store credit: issue, ledger, cancel. */
export function GiftCardsPage() {
  const [{ id }] = useOfficeSearch()
  if (id === undefined) return <CardList />
  return id === 'new' ? <CardForm /> : <CardDetail key={id} code={id} />
}
