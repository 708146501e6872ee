import { FigureTable } from '../../office/figure-table.tsx'
import { Panel } from '../../office/panel.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatAmount } from '../../ui/rupiah.ts'
import { CsvLink } from './csv-link.tsx'
import { type ReportRequest, useExpenses } from './use-report.ts'

/** Cash that was taken out of the drawers, by category (B-expense-3). */
export function ExpenseReport({ request }: { request: ReportRequest }) {
  const t = useOfficeTexts()
  const report = useExpenses(request)
  const rows = report.data ?? []
  const total = (of: (row: (typeof rows)[number]) => number) =>
    formatAmount(rows.map(of).reduce((a, b) => a + b, 0))
  const { outletId, from, to } = request
  return (
    <Panel
      error={report.error}
      title={t('expenses')}
      actions={<CsvLink path="expenses" name={t('expenses')} input={{ outletId, from, to }} />}
    >
      <p className="px-4 pt-3 text-sm text-muted">{t('expense.text')}</p>
      <FigureTable
        label={t('expenses')}
        rows={rows}
        idOf={({ category }) => category ?? ''}
        totalLabel={t('total')}
        nothing={report.isPending ? t('loading') : t('expense.nothing')}
        columns={[
          {
            key: 'category',
            title: t('product.category'),
            cell: ({ category }) => category ?? t('expense.uncategorised'),
          },
          {
            key: 'count',
            title: t('report.count'),
            from: 'sm',
            cell: ({ count }) => formatAmount(count),
            total: total(({ count }) => count),
          },
          {
            key: 'paidOut',
            title: t('expense.paidOut'),
            from: 'sm',
            cell: ({ paidOut }) => formatAmount(paidOut),
            total: total(({ paidOut }) => paidOut),
          },
          {
            key: 'returned',
            title: t('expense.returned'),
            from: 'sm',
            cell: ({ returned }) => formatAmount(returned),
            total: total(({ returned }) => returned),
          },
          {
            key: 'amount',
            title: t('expense.amount'),
            cell: ({ amount }) => formatAmount(amount),
            total: total(({ amount }) => amount),
          },
        ]}
      />
    </Panel>
  )
}
