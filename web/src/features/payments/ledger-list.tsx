import { useQuery } from '@tanstack/react-query'
import { ledgerExportEntries, ledgerGetBalance, ledgerListEntries } from 'kasir-client'
import { BookOpen } from 'lucide-react'
import { FigureCard } from '../../office/figure-card.tsx'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { amountIn, momentText } from '../../office/partner-data.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type PaymentsTranslate, usePaymentsTexts } from '../../texts/payments/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'
import { FileButton } from './file-button.tsx'
import { shortMoney } from './looks.tsx'
import { readPartner, readPartnerPage } from './partner-calls.ts'
import { type LedgerEntry, readEntry } from './partner-records.ts'
import { PERIODS, windowOf } from './period.ts'

const TYPES = ['payment', 'fee', 'payout', 'payout_failure', 'payout_cancellation'] as const

/** The word for a type of entry; another partner's own types stay as they are. */
export const typeText = (t: PaymentsTranslate, type: string): string => {
  const known = TYPES.find((each) => each === type)
  return known === undefined ? type || '–' : t(`entry.${known}`)
}

export function LedgerList() {
  const t = usePaymentsTexts()
  const [{ type, period }] = useOfficeSearch()
  const balance = useQuery({
    queryKey: ['payments', 'ledgerBalance'],
    queryFn: () => readPartner(ledgerGetBalance, (record) => amountIn(record, 'balance')),
  })
  const filter = { ...windowOf(period), ...(type && { type }) }
  return (
    <ListPage
      title={t('title.ledger')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['payments', 'ledger', filter],
        read: (cursor) => readPartnerPage(ledgerListEntries, readEntry, cursor, filter),
      }}
      filters={[
        {
          key: 'period',
          label: t('period'),
          initial: '30',
          options: PERIODS.map((value) => ({ value, text: t(`period.${value}`) })),
        },
        {
          key: 'type',
          label: t('entry.type'),
          options: TYPES.map((value) => ({ value, text: typeText(t, value) })),
        },
      ]}
      actions={
        <FileButton text={t('csv')} fileName="ledger.csv" operation={ledgerExportEntries} input={filter} />
      }
      empty={{ icon: BookOpen, title: t('entry.empty'), text: t('entry.emptyText') }}
      ErrorView={ModuleFailure}
    >
      <div className="max-w-xs">
        <FigureCard label={t('balance')} value={balance.data ?? undefined} format={formatRupiah} />
      </div>
    </ListPage>
  )
}

const columnsIn = (t: PaymentsTranslate): readonly Column<LedgerEntry>[] => [
  {
    key: 'type',
    title: t('entry.type'),
    cell: ({ type, createdAt }) => (
      <span className="grid min-w-0">
        <span>{typeText(t, type)}</span>
        <span className="text-xs font-normal text-muted">{momentText(createdAt)}</span>
      </span>
    ),
  },
  {
    key: 'amount',
    title: t('amount'),
    isAmount: true,
    cell: ({ amount, currency }) => shortMoney(amount, currency),
  },
  {
    key: 'balance',
    title: t('entry.balanceAfter'),
    isAmount: true,
    from: 'sm',
    cell: ({ balanceAfter, currency }) => shortMoney(balanceAfter, currency),
  },
]
