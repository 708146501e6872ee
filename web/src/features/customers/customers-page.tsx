import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { CustomerList } from './customer-list.tsx'
import { GroupList } from './group-list.tsx'

// The lists are opened first.
const CustomerEditor = lazyPart(() => import('./customer-form.tsx').then((file) => file.CustomerEditor))
const GroupEditor = lazyPart(() => import('./group-form.tsx').then((file) => file.GroupEditor))

/** Customers with their points, cards and sales, and the groups that decide their prices. */
export function CustomersPage() {
  const t = useOfficeTexts()
  const [{ tab = 'customers', id }] = useOfficeSearch()
  if (id !== undefined)
    return tab === 'groups' ? <GroupEditor key={id} id={id} /> : <CustomerEditor key={id} id={id} />
  return (
    <>
      <Tabs
        label={t('area.customers')}
        tabs={[
          { key: 'customers', text: t('area.customers') },
          { key: 'groups', text: t('groups') },
        ]}
      />
      {tab === 'customers' && <CustomerList />}
      {tab === 'groups' && <GroupList />}
    </>
  )
}
