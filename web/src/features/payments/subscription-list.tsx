import { paymentSubscriptionsList } from 'kasir-client'
import { Plus, RefreshCw } from 'lucide-react'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { momentText } from '../../office/partner-data.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type PaymentsTranslate, usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Button } from '../../ui/button.tsx'
import { StatusMark, statusText } from './looks.tsx'
import { readPartnerPage } from './partner-calls.ts'
import { readSubscription, type Subscription } from './partner-records.ts'
import { useSubscriptionNames } from './subscription-data.ts'

const STATES = ['active', 'past_due', 'canceled'] as const

export function SubscriptionList() {
  const t = usePaymentsTexts()
  const [{ status }, setAddress] = useOfficeSearch()
  const names = useSubscriptionNames()
  const create = (
    <May route="paymentSubscriptions.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('subscription.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('title.subscriptions')}
      columns={columnsIn(t, names)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['payments', 'subscriptions', status],
        read: (cursor) =>
          readPartnerPage(paymentSubscriptionsList, readSubscription, cursor, status ? { status } : {}),
      }}
      filters={[
        {
          key: 'status',
          label: t('state'),
          options: STATES.map((value) => ({ value, text: statusText(t, value) })),
        },
      ]}
      actions={create}
      empty={{
        icon: RefreshCw,
        title: t('subscription.empty'),
        text: t('subscription.emptyText'),
        action: create,
      }}
      ErrorView={ModuleFailure}
    />
  )
}

const columnsIn = (
  t: PaymentsTranslate,
  names: ReturnType<typeof useSubscriptionNames>,
): readonly Column<Subscription>[] => [
  {
    key: 'customer',
    title: t('customer'),
    sortBy: ({ customerId }) => names.customerName(customerId),
    cell: ({ customerId, priceId }) => (
      <span className="grid min-w-0">
        <span>{names.customerName(customerId)}</span>
        <span className="text-xs font-normal text-muted">{names.priceName(priceId)}</span>
      </span>
    ),
  },
  {
    key: 'end',
    title: t('subscription.periodEnd'),
    from: 'sm',
    sortBy: ({ currentPeriodEnd }) => currentPeriodEnd ?? '',
    cell: ({ currentPeriodEnd }) => momentText(currentPeriodEnd),
  },
  { key: 'state', title: t('state'), cell: ({ status }) => <StatusMark status={status} /> },
]
