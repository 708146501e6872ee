import { paymentPlansList } from 'kasir-client'
import { CalendarSync, Plus } from 'lucide-react'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { type PaymentsTranslate, usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Button } from '../../ui/button.tsx'
import { readPartnerPage } from './partner-calls.ts'
import { type Plan, readPlanRecord } from './partner-records.ts'
import { priceText } from './price-text.ts'

export function PlanList() {
  const t = usePaymentsTexts()
  const [, setAddress] = useOfficeSearch()
  const create = (
    <May route="paymentPlans.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('plan.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('title.plans')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['payments', 'plans'],
        read: (cursor) => readPartnerPage(paymentPlansList, readPlanRecord, cursor),
      }}
      search={{ label: t('plan.search'), matches: ({ name }, text) => name.toLowerCase().includes(text) }}
      actions={create}
      empty={{ icon: CalendarSync, title: t('plan.empty'), text: t('plan.emptyText'), action: create }}
      ErrorView={ModuleFailure}
    />
  )
}

const columnsIn = (t: PaymentsTranslate): readonly Column<Plan>[] => [
  { key: 'name', title: t('plan.name'), sortBy: ({ name }) => name, cell: ({ name, id }) => name || id },
  {
    key: 'prices',
    title: t('plan.prices'),
    cell: ({ prices }) =>
      prices
        .filter(({ active }) => active)
        .map((price) => priceText(t, price))
        .join(', ') || '–',
  },
  {
    key: 'state',
    title: t('state'),
    from: 'sm',
    cell: ({ active }) => (
      <StateMark look={active ? 'good' : 'muted'}>{t(active ? 'plan.active' : 'plan.inactive')}</StateMark>
    ),
  },
]
