import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { OrderList } from './order-list.tsx'
import { OrderEditor } from './order-page.tsx'
import { SupplierEditor } from './supplier-form.tsx'
import { SupplierList } from './supplier-list.tsx'

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
