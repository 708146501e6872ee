import { FigureTable } from '../../office/figure-table.tsx'
import { Panel } from '../../office/panel.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatAmount } from '../../ui/rupiah.ts'
import { CsvLink } from './csv-link.tsx'
import { type ReportRequest, usePromotions } from './use-report.ts'

/** What each promotion gave, the largest amount first. */
export function PromotionReport({ request }: { request: ReportRequest }) {
  const t = useOfficeTexts()
  const report = usePromotions(request)
  const rows = report.data ?? []
  const { outletId, from, to } = request
  return (
    <Panel
      error={report.error}
      title={t('report.promotions')}
      actions={<CsvLink path="promotions" name={t('report.promotions')} input={{ outletId, from, to }} />}
    >
      <p className="px-4 pt-3 text-sm text-muted">{t('report.promotionsText')}</p>
      <FigureTable
        label={t('report.promotions')}
        rows={rows}
        idOf={({ promotionId }) => promotionId}
        totalLabel={t('total')}
        nothing={report.isPending ? t('loading') : t('report.noPromotions')}
        columns={[
          { key: 'name', title: t('report.promotion'), cell: ({ name }) => name },
          { key: 'sales', title: t('report.salesCount'), cell: ({ sales }) => formatAmount(sales) },
          {
            key: 'average',
            title: t('report.perSale'),
            from: 'sm',
            cell: ({ sales, amount }) => (sales === 0 ? '–' : formatAmount(Math.round(amount / sales))),
          },
          {
            key: 'amount',
            title: t('report.given'),
            cell: ({ amount }) => formatAmount(amount),
            total: formatAmount(rows.reduce((sum, { amount }) => sum + amount, 0)),
          },
        ]}
      />
    </Panel>
  )
}
