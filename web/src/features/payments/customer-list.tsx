import { paymentCustomersList } from 'kasir-client'
import { Plus, Users } from 'lucide-react'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type PaymentsTranslate, usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Button } from '../../ui/button.tsx'
import { readPartnerPage } from './partner-calls.ts'
import { type PartnerCustomer, readCustomer } from './partner-records.ts'

export function CustomerList() {
  const t = usePaymentsTexts()
  const [, setAddress] = useOfficeSearch()
  const create = (
    <May route="paymentCustomers.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('customer.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('title.customers')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['payments', 'customers'],
        read: (cursor) => readPartnerPage(paymentCustomersList, readCustomer, cursor),
      }}
      search={{
        label: t('customer.search'),
        matches: ({ name, email, phone }, text) =>
          `${name} ${email ?? ''} ${phone ?? ''}`.toLowerCase().includes(text),
      }}
      actions={create}
      empty={{ icon: Users, title: t('customer.empty'), text: t('customer.emptyText'), action: create }}
      ErrorView={ModuleFailure}
    />
  )
}

const columnsIn = (t: PaymentsTranslate): readonly Column<PartnerCustomer>[] => [
  { key: 'name', title: t('customer.name'), sortBy: ({ name }) => name, cell: ({ name, id }) => name || id },
  { key: 'email', title: t('email'), from: 'sm', cell: ({ email }) => email ?? '–' },
  { key: 'phone', title: t('phone'), from: 'sm', cell: ({ phone }) => phone ?? '–' },
]
