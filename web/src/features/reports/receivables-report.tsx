import { Link } from '@tanstack/react-router'
import { FigureTable } from '../../office/figure-table.tsx'
import { Panel } from '../../office/panel.tsx'
import { ReminderButton } from '../../office/reminder-button.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatAmount } from '../../ui/rupiah.ts'
import { CsvLink } from './csv-link.tsx'
import { useReceivables } from './use-report.ts'

/** The debts of customers by age, with a reminder for each of them (B-credit-9). */
export function ReceivablesReport() {
  const t = useOfficeTexts()
  const report = useReceivables()
  const rows = report.data ?? []
  type Row = (typeof rows)[number]
  const figure = (key: 'current' | 'days30' | 'days60' | 'days90') => ({
    key,
    title: t(`receivables.${key}`),
    from: 'md' as const,
    cell: (row: Row) => formatAmount(row[key]),
    total: formatAmount(rows.reduce((sum, row) => sum + row[key], 0)),
  })
  return (
    <Panel
      error={report.error}
      title={t('receivables')}
      actions={<CsvLink path="receivables" name={t('receivables')} input={{}} />}
    >
      <p className="px-4 pt-3 text-sm text-muted">{t('receivables.text')}</p>
      <FigureTable
        label={t('receivables')}
        rows={rows}
        idOf={({ customerId }) => customerId}
        totalLabel={t('total')}
        nothing={report.isPending ? t('loading') : t('receivables.nothing')}
        columns={[
          {
            key: 'name',
            title: t('customer.name'),
            cell: ({ customerId, name }) => (
              <Link
                to="/pelanggan"
                search={{ id: customerId }}
                className="wrap-anywhere text-brand underline underline-offset-2"
              >
                {name}
              </Link>
            ),
          },
          figure('current'),
          figure('days30'),
          figure('days60'),
          figure('days90'),
          {
            key: 'balance',
            title: t('total'),
            cell: ({ balance }) => formatAmount(balance),
            total: formatAmount(rows.reduce((sum, { balance }) => sum + balance, 0)),
          },
          {
            key: 'remind',
            title: t('credit.remind'),
            cell: ({ customerId, name }) => <ReminderButton customerId={customerId} name={name} />,
          },
        ]}
      />
    </Panel>
  )
}
