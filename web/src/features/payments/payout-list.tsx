import { payoutsList } from 'kasir-client'
import { Banknote, Landmark } from 'lucide-react'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { momentText } from '../../office/partner-data.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type PaymentsTranslate, usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatMoney, StatusMark, statusText } from './looks.tsx'
import { readPartnerPage } from './partner-calls.ts'
import { type Payout, readPayout } from './partner-records.ts'
import { PayoutState } from './payout-state.tsx'

const STATES = ['pending', 'processing', 'paid', 'failed', 'canceled'] as const

export function PayoutList() {
  const t = usePaymentsTexts()
  const [{ status }, setAddress] = useOfficeSearch()
  return (
    <ListPage
      title={t('title.payouts')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['payments', 'payouts', status],
        read: (cursor) => readPartnerPage(payoutsList, readPayout, cursor, status ? { status } : {}),
      }}
      filters={[
        {
          key: 'status',
          label: t('state'),
          options: STATES.map((value) => ({ value, text: statusText(t, value) })),
        },
      ]}
      actions={
        <>
          <May route="payouts.setBankAccount">
            <Button onClick={() => void setAddress({ id: 'bank' })}>
              <Landmark aria-hidden size={18} />
              {t('bank')}
            </Button>
          </May>
          <May route="payouts.create">
            <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
              <Banknote aria-hidden size={20} />
              {t('payout.new')}
            </Button>
          </May>
        </>
      }
      empty={{ icon: Banknote, title: t('payout.empty'), text: t('payout.emptyText') }}
      ErrorView={ModuleFailure}
    >
      <PayoutState />
    </ListPage>
  )
}

const columnsIn = (t: PaymentsTranslate): readonly Column<Payout>[] => [
  {
    key: 'bank',
    title: t('bank'),
    cell: ({ bankName, accountLast4, accountHolder, createdAt }) => (
      <span className="grid min-w-0">
        <span>
          {bankName} ···{accountLast4}
        </span>
        <span className="text-xs font-normal text-muted">
          {accountHolder} · {momentText(createdAt)}
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
  { key: 'state', title: t('state'), from: 'sm', cell: ({ status }) => <StatusMark status={status} /> },
]
