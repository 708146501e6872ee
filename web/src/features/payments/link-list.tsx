import { checkoutSessionsList } from 'kasir-client'
import { Link2, Plus } from 'lucide-react'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { momentText } from '../../office/partner-data.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type PaymentsTranslate, usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatMoney, methodText, StatusMark, statusText } from './looks.tsx'
import { readPartnerPage } from './partner-calls.ts'
import { type CheckoutSession, readSession } from './partner-records.ts'

const STATES = ['open', 'completed', 'expired', 'canceled', 'failed'] as const

export function LinkList() {
  const t = usePaymentsTexts()
  const [{ status }, setAddress] = useOfficeSearch()
  const create = (
    <May route="checkoutSessions.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {t('link.new')}
      </Button>
    </May>
  )
  return (
    <ListPage
      title={t('title.links')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['payments', 'links', status],
        read: (cursor) =>
          readPartnerPage(checkoutSessionsList, readSession, cursor, status ? { status } : {}),
      }}
      search={{
        label: t('link.search'),
        matches: ({ description, id }, text) => `${description ?? ''} ${id}`.toLowerCase().includes(text),
      }}
      filters={[
        {
          key: 'status',
          label: t('state'),
          options: STATES.map((value) => ({ value, text: statusText(t, value) })),
        },
      ]}
      actions={create}
      empty={{ icon: Link2, title: t('link.empty'), text: t('link.emptyText'), action: create }}
      ErrorView={ModuleFailure}
    />
  )
}

const columnsIn = (t: PaymentsTranslate): readonly Column<CheckoutSession>[] => [
  {
    key: 'description',
    title: t('description'),
    cell: ({ description, method, createdAt }) => (
      <span className="grid min-w-0">
        <span>{description ?? t('link.unnamed')}</span>
        <span className="text-xs font-normal text-muted">
          {methodText(t, method)} · {momentText(createdAt)}
        </span>
      </span>
    ),
  },
  {
    key: 'amount',
    title: t('amount'),
    isAmount: true,
    sortBy: ({ amount }) => amount ?? 0,
    cell: ({ amount, currency }) => formatMoney(amount, currency),
  },
  {
    key: 'expires',
    title: t('link.until'),
    from: 'md',
    sortBy: ({ expiresAt }) => expiresAt ?? '',
    cell: ({ expiresAt }) => momentText(expiresAt),
  },
  { key: 'state', title: t('state'), from: 'sm', cell: ({ status }) => <StatusMark status={status} /> },
]
