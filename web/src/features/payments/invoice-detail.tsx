import { useQueryClient } from '@tanstack/react-query'
import { checkoutSessionsCreate, invoicesGet, invoicesGetPdf } from 'kasir-client'
import { useDevice } from '../../app/device.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { Panel } from '../../office/panel.tsx'
import { idIn, momentText } from '../../office/partner-data.ts'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { ActionButton } from './action-button.tsx'
import { Detail, Facts } from './detail.tsx'
import { FileButton } from './file-button.tsx'
import { formatDueDay, formatMoney } from './looks.tsx'
import { PageLink } from './page-link.tsx'
import { readPartner } from './partner-calls.ts'
import { type Invoice, readInvoice } from './partner-records.ts'

/** An invoice with its lines. An unpaid one gets a payment link for its customer. */
export function InvoiceDetail({ id }: { id: string }) {
  const t = usePaymentsTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const lang = useDevice(({ language }) => language)
  const record = useRecord(['paymentInvoice', id], () => readPartner(invoicesGet, readInvoice, { id }))
  const invoice = record.data
  if (!invoice) return <RecordState query={record} ErrorView={ModuleFailure} />
  const { number, customerName, status, total, currency, dueDate, paidAt, createdAt } = invoice
  return (
    <Detail
      title={number}
      status={status}
      actions={
        <>
          {status === 'open' && (
            <ActionButton
              route="checkoutSessions.create"
              label={t('invoice.link')}
              text={t('invoice.linkText', { amount: formatMoney(total, currency), name: customerName })}
              look="primary"
              run={async (options) => {
                const link = await readPartner(checkoutSessionsCreate, idIn, { invoiceId: id }, options)
                void queries.invalidateQueries({ queryKey: ['payments'] })
                void setAddress({ tab: 'links', id: link || null })
              }}
              onDone={() => {}}
            />
          )}
          <PageLink text={t('print')} path={`invoices/${encodeURIComponent(id)}/html`} lang={lang} />
          <FileButton
            text={t('pdf')}
            fileName={`${number}.pdf`}
            operation={invoicesGetPdf}
            input={{ id, lang }}
          />
        </>
      }
    >
      <Facts
        facts={[
          [t('customer'), customerName],
          [t('amount'), formatMoney(total, currency)],
          [t('created'), momentText(createdAt)],
          [t('invoice.due'), status === 'open' ? formatDueDay(dueDate) : null],
          [t('paidAt'), paidAt && momentText(paidAt)],
        ]}
      />
      <InvoiceLines invoice={invoice} />
    </Detail>
  )
}

function InvoiceLines({ invoice: { lines, currency } }: { invoice: Invoice }) {
  const t = usePaymentsTexts()
  return (
    <Panel title={t('invoice.lines')}>
      <ul aria-label={t('invoice.lines')} className="divide-y">
        {lines.map(({ at, description, quantity, unitAmount, amount }) => (
          <li key={at} className="flex items-center gap-3 px-4 py-2 text-sm">
            <span className="grid min-w-0 flex-1">
              <span className="font-medium wrap-anywhere">{description}</span>
              <span className="text-muted">
                {quantity} × {formatMoney(unitAmount, currency)}
              </span>
            </span>
            <span className="amount font-semibold">{formatMoney(amount, currency)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
