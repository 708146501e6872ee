import { FigureTable } from '../../office/figure-table.tsx'
import { Panel } from '../../office/panel.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatAmount } from '../../ui/rupiah.ts'
import { CsvLink } from './csv-link.tsx'
import { type ReportRequest, useCashiers } from './use-report.ts'

/** Sales, refunds and voids of each member. */
export function CashierReport({ request }: { request: ReportRequest }) {
  const t = useOfficeTexts()
  const report = useCashiers(request)
  const rows = report.data ?? []
  const total = (of: (row: (typeof rows)[number]) => number) =>
    formatAmount(rows.map(of).reduce((a, b) => a + b, 0))
  const { outletId, from, to } = request
  return (
    <Panel
      error={report.error}
      title={t('report.cashiers')}
      actions={<CsvLink path="cashiers" name={t('report.cashiers')} input={{ outletId, from, to }} />}
    >
      <FigureTable
        label={t('report.cashiers')}
        rows={rows}
        idOf={({ cashierId }) => cashierId}
        totalLabel={t('total')}
        nothing={report.isPending ? t('loading') : t('report.nothing')}
        columns={[
          { key: 'name', title: t('member'), cell: ({ name }) => name ?? '–' },
          {
            key: 'sales',
            title: t('report.salesCount'),
            cell: ({ salesCount }) => formatAmount(salesCount),
            total: total(({ salesCount }) => salesCount),
          },
          {
            key: 'refunds',
            title: t('report.refundCount'),
            from: 'sm',
            cell: ({ refundCount }) => formatAmount(refundCount),
            total: total(({ refundCount }) => refundCount),
          },
          {
            key: 'voids',
            title: t('report.voidCount'),
            from: 'sm',
            cell: ({ voidCount }) => formatAmount(voidCount),
            total: total(({ voidCount }) => voidCount),
          },
          {
            key: 'discounts',
            title: t('report.discounts'),
            from: 'md',
            cell: ({ discounts }) => formatAmount(discounts),
            total: total(({ discounts }) => discounts),
          },
          {
            key: 'collected',
            title: t('report.collected'),
            cell: ({ collected }) => formatAmount(collected),
            total: total(({ collected }) => collected),
          },
        ]}
      />
    </Panel>
  )
}
