import type { ProductMargin, ReportCategory } from 'kasir-client'
import { type FigureColumn, FigureTable } from '../../office/figure-table.tsx'
import { unitsAndWeight } from '../../office/goods-amounts.ts'
import { Panel } from '../../office/panel.tsx'
import { formatPercent } from '../../office/percent.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatAmount } from '../../ui/rupiah.ts'
import { CsvLink } from './csv-link.tsx'
import { MOST_ROWS, type ReportRequest, useCategories, useProducts } from './use-report.ts'

type GoodsRow = {
  name: string | null
  quantity: number
  grams: number
  revenue: number
  cost: number
  margin: number
  marginBps: number | null
}
type Totals = Omit<GoodsRow, 'name'>

const percent = (bps: number | null) => (bps === null ? '–' : `${formatPercent(bps)}%`)

function useColumns(title: string, none: string, totals: Totals | null): readonly FigureColumn<GoodsRow>[] {
  const t = useOfficeTexts()
  const figure = (key: 'revenue' | 'cost' | 'margin') => ({
    key,
    title: t(`report.${key}`),
    cell: (row: GoodsRow) => formatAmount(row[key]),
    total: totals === null ? undefined : formatAmount(totals[key]),
  })
  return [
    { key: 'name', title, cell: ({ name }) => name ?? none },
    {
      key: 'quantity',
      title: t('report.quantity'),
      cell: unitsAndWeight,
      total: totals === null ? undefined : unitsAndWeight(totals),
    },
    figure('revenue'),
    { ...figure('cost'), from: 'sm' },
    { ...figure('margin'), from: 'sm' },
    {
      key: 'share',
      title: t('report.marginShare'),
      from: 'md',
      cell: ({ marginBps }) => percent(marginBps),
      total: totals === null ? undefined : percent(totals.marginBps),
    },
  ]
}

const rangeOf = ({ outletId, from, to }: ReportRequest) => ({ outletId, from, to })

export function ProductReport({ request }: { request: ReportRequest }) {
  const t = useOfficeTexts()
  const report = useProducts(request)
  const rows = report.data?.products ?? []
  const columns = useColumns(t('product.name'), t('openItem'), report.data?.total ?? null)
  return (
    <Panel
      error={report.error}
      title={t('report.products')}
      actions={<CsvLink path="margin" name={t('report.products')} input={rangeOf(request)} />}
    >
      {rows.length === MOST_ROWS && (
        <p className="px-4 pt-4 text-sm text-warn">{t('report.most', { n: MOST_ROWS })}</p>
      )}
      <FigureTable<ProductMargin>
        label={t('report.products')}
        rows={rows}
        idOf={({ productId }) => productId ?? ''}
        columns={columns}
        totalLabel={t('total')}
        nothing={report.isPending ? t('loading') : t('report.nothing')}
      />
    </Panel>
  )
}

/** The sums of the rows on the page. */
function totalsOf(rows: readonly GoodsRow[]): Totals {
  const sum = (of: (row: GoodsRow) => number) => rows.map(of).reduce((a, b) => a + b, 0)
  const [revenue, margin] = [sum((row) => row.revenue), sum((row) => row.margin)]
  return {
    quantity: sum((row) => row.quantity),
    grams: sum((row) => row.grams),
    revenue,
    cost: sum((row) => row.cost),
    margin,
    marginBps: null,
  }
}

export function CategoryReport({ request }: { request: ReportRequest }) {
  const t = useOfficeTexts()
  const report = useCategories(request)
  const rows = report.data ?? []
  const columns = useColumns(t('product.category'), t('product.noCategory'), totalsOf(rows))
  return (
    <Panel
      error={report.error}
      title={t('report.categories')}
      actions={<CsvLink path="categories" name={t('report.categories')} input={rangeOf(request)} />}
    >
      <FigureTable<ReportCategory>
        label={t('report.categories')}
        rows={rows}
        idOf={({ categoryId }) => categoryId ?? ''}
        columns={columns}
        totalLabel={t('total')}
        nothing={report.isPending ? t('loading') : t('report.nothing')}
      />
    </Panel>
  )
}
