import { invoicesExport, invoicesList } from 'kasir-client'
import { FileText } from 'lucide-react'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { type PaymentsTranslate, usePaymentsTexts } from '../../texts/payments/texts.ts'
import { FileButton } from './file-button.tsx'
import { formatDueDay, formatMoney, StatusMark, statusText } from './looks.tsx'
import { readPartnerPage } from './partner-calls.ts'
import { type Invoice, readInvoice } from './partner-records.ts'

const STATES = ['open', 'paid', 'void', 'draft'] as const

export function InvoiceList() {
  const t = usePaymentsTexts()
  const [{ status }] = useOfficeSearch()
  const filter = status ? { status } : {}
  return (
    <ListPage
      title={t('title.invoices')}
      columns={columnsIn(t)}
      idOf={({ id }) => id}
      open={({ id }) => ({ id })}
      source={{
        key: ['payments', 'invoices', status],
        read: (cursor) => readPartnerPage(invoicesList, readInvoice, cursor, filter),
      }}
      search={{
        label: t('invoice.search'),
        matches: ({ number, customerName }, text) => `${number} ${customerName}`.toLowerCase().includes(text),
      }}
      filters={[
        {
          key: 'status',
          label: t('state'),
          options: STATES.map((value) => ({ value, text: statusText(t, value) })),
        },
      ]}
      actions={
        <FileButton text={t('csv')} fileName="invoices.csv" operation={invoicesExport} input={filter} />
      }
      empty={{ icon: FileText, title: t('invoice.empty'), text: t('invoice.emptyText') }}
      ErrorView={ModuleFailure}
    />
  )
}

const columnsIn = (t: PaymentsTranslate): readonly Column<Invoice>[] => [
  {
    key: 'number',
    title: t('number'),
    sortBy: ({ number }) => number,
    cell: ({ number, customerName }) => (
      <span className="grid min-w-0">
        <span>{number}</span>
        <span className="text-xs font-normal text-muted">{customerName}</span>
      </span>
    ),
  },
  {
    key: 'total',
    title: t('amount'),
    isAmount: true,
    sortBy: ({ total }) => total ?? 0,
    cell: ({ total, currency }) => formatMoney(total, currency),
  },
  {
    key: 'due',
    title: t('invoice.due'),
    from: 'md',
    sortBy: ({ dueDate }) => dueDate ?? '',
    cell: ({ dueDate }) => formatDueDay(dueDate),
  },
  { key: 'state', title: t('state'), from: 'sm', cell: ({ status }) => <StatusMark status={status} /> },
]
