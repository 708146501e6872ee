import { paymentReceiptsList } from 'kasir-client'
import { ReceiptText } from 'lucide-react'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { momentText } from '../../office/partner-data.ts'
import { type PaymentsTranslate, usePaymentsTexts } from '../../texts/payments/texts.ts'
import { formatMoney, methodText } from './looks.tsx'
import { readPartnerPage } from './partner-calls.ts'
import { type Receipt, readReceipt } from './partner-records.ts'

export function ReceiptList() {
  const t = usePaymentsTexts()
  return (
    <ListPage
      title={t('title.receipts')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['payments', 'receipts'],
        read: (cursor) => readPartnerPage(paymentReceiptsList, readReceipt, cursor),
      }}
      search={{
        label: t('receipt.search'),
        matches: ({ number, description }, text) =>
          `${number} ${description ?? ''}`.toLowerCase().includes(text),
      }}
      empty={{ icon: ReceiptText, title: t('receipt.empty'), text: t('receipt.emptyText') }}
      ErrorView={ModuleFailure}
    />
  )
}

const columnsIn = (t: PaymentsTranslate): readonly Column<Receipt>[] => [
  {
    key: 'number',
    title: t('number'),
    cell: ({ number, description }) => (
      <span className="grid min-w-0">
        <span>{number}</span>
        <span className="text-xs font-normal text-muted">{description}</span>
      </span>
    ),
  },
  { key: 'method', title: t('method'), from: 'sm', cell: ({ method }) => methodText(t, method) },
  {
    key: 'issued',
    title: t('receipt.issuedAt'),
    from: 'md',
    sortBy: ({ issuedAt }) => issuedAt ?? '',
    cell: ({ issuedAt }) => momentText(issuedAt),
  },
  {
    key: 'amount',
    title: t('amount'),
    isAmount: true,
    sortBy: ({ amount }) => amount ?? 0,
    cell: ({ amount, currency }) => formatMoney(amount, currency),
  },
]
