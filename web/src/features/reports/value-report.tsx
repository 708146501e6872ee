import { FigureTable } from '../../office/figure-table.tsx'
import { amountOfGoods, unitsAndWeight } from '../../office/goods-amounts.ts'
import { Panel } from '../../office/panel.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { nameOf } from '../../office/use-outlet-options.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { FIELD } from '../../ui/field.tsx'
import { formatAmount } from '../../ui/rupiah.ts'
import { CsvLink } from './csv-link.tsx'
import { MOST_ROWS, type ReportRequest, useStockValue } from './use-report.ts'

/** What the stock of an outlet was worth at the end of a day, by average cost. */
export function ValueReport({ request: { outletId, today } }: { request: ReportRequest }) {
  const t = useOfficeTexts()
  const [address, setAddress] = useOfficeSearch()
  const date = address['date'] ?? today
  const report = useStockValue(outletId, date)
  const rows = report.data?.variants ?? []
  const total = report.data?.total
  return (
    <Panel
      error={report.error}
      title={t('value.title')}
      actions={<CsvLink path="stock-value" name={t('value.title')} input={{ outletId, date }} />}
    >
      <div className="grid gap-3 p-4">
        <label className="grid max-w-52 gap-1 text-sm font-medium">
          {t('value.date')}
          <input
            type="date"
            className={`${FIELD} font-normal`}
            max={today}
            value={date}
            onChange={({ target }) => void setAddress({ date: target.value === today ? null : target.value })}
          />
        </label>
        <p className="text-sm text-muted">{t('value.text')}</p>
        {rows.length === MOST_ROWS && (
          <p className="text-sm text-warn">{t('value.most', { n: MOST_ROWS })}</p>
        )}
      </div>
      <FigureTable
        label={t('value.title')}
        rows={rows}
        idOf={({ variantId }) => variantId}
        totalLabel={t('total')}
        nothing={report.isPending ? t('loading') : t('value.nothing')}
        columns={[
          {
            key: 'name',
            title: t('product.name'),
            cell: ({ productName, variantName }) => (
              <span className="wrap-anywhere">{nameOf(productName, variantName)}</span>
            ),
          },
          {
            key: 'quantity',
            title: t('stock.quantity'),
            cell: ({ quantity, soldBy }) => amountOfGoods(soldBy, quantity),
            total: total && unitsAndWeight(total),
          },
          { key: 'cost', title: t('value.cost'), from: 'sm', cell: ({ cost }) => formatAmount(cost) },
          {
            key: 'value',
            title: t('value.value'),
            cell: ({ value }) => formatAmount(value),
            total: formatAmount(total?.value ?? 0),
          },
        ]}
      />
    </Panel>
  )
}
