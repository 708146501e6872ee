import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { OrderList } from './order-list.tsx'

// The list is opened first.
const OrderEditor = lazyPart(() => import('./order-page.tsx').then((file) => file.OrderEditor))
const SupplierEditor = lazyPart(() => import('./supplier-form.tsx').then((file) => file.SupplierEditor))
const SupplierList = lazyPart(() => import('./supplier-list.tsx').then((file) => file.SupplierList))

/** Purchase orders from draft to receipt, and the suppliers they go to. */
export function PurchasingPage() {
  const t = useOfficeTexts()
  const [{ tab = 'orders', id }] = useOfficeSearch()
  if (id !== undefined)
    return tab === 'suppliers' ? <SupplierEditor key={id} id={id} /> : <OrderEditor key={id} id={id} />
  return (
    <>
      <Tabs
        label={t('area.purchasing')}
        tabs={[
          { key: 'orders', text: t('orders') },
          { key: 'suppliers', text: t('suppliers') },
        ]}
      />
      {tab === 'orders' ? <OrderList /> : <SupplierList />}
    </>
  )
}
