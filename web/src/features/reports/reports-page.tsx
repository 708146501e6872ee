import { Store } from 'lucide-react'
import { useState } from 'react'
import { AsOfLine } from '../../office/as-of-line.tsx'
import { dayIn } from '../../office/days.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { Tabs } from '../../office/tabs.tsx'
import { useFirstShownOutlet } from '../../office/use-outlet-options.ts'
import { findOutlet, useShop } from '../../offline/shop.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Empty } from '../../ui/empty.tsx'
import { CashierReport } from './cashier-report.tsx'
import { DayReport } from './day-report.tsx'
import { ExpenseReport } from './expense-report.tsx'
import { CategoryReport, ProductReport } from './goods-report.tsx'
import { HourReport } from './hour-report.tsx'
import { PromotionReport } from './promotion-report.tsx'
import { isRange, periodOf } from './range.ts'
import { RangeBar } from './range-bar.tsx'
import { ReceivablesReport } from './receivables-report.tsx'
import { ShiftRecord } from './shift-detail.tsx'
import { ShiftReport } from './shift-report.tsx'
import { SummaryReport } from './summary-report.tsx'
import type { ReportRequest } from './use-report.ts'
import { ValueReport } from './value-report.tsx'

/** What the address asks for: outlet, period, and the day on the outlet's clock. */
function useRequest(): ReportRequest | null {
  const [address] = useOfficeSearch()
  const own = useFirstShownOutlet()
  const [now] = useState(() => new Date())
  const outlet = useShop(
    (shop) => findOutlet(shop, address['outlet'] ?? '') ?? own ?? shop.inactiveOutlets?.[0],
  )
  if (outlet === undefined) return null
  const today = dayIn(outlet.timezone, now)
  const range = isRange(address['range']) ? address['range'] : '7'
  return {
    outletId: outlet.id,
    today,
    ...periodOf(range, today, { from: address['from'], to: address['to'] }),
  }
}

/** The reports of an outlet over a period, compared with the one before. */
export function ReportsPage() {
  const t = useOfficeTexts()
  const [{ tab = 'sales', id }] = useOfficeSearch()
  const request = useRequest()
  if (tab === 'shifts' && id !== undefined) return <ShiftRecord key={id} id={id} />
  return (
    <>
      <Tabs
        label={t('area.reports')}
        tabs={[
          { key: 'sales', text: t('sales') },
          { key: 'hours', text: t('report.hours') },
          { key: 'goods', text: t('report.products') },
          { key: 'promotions', text: t('report.promotions') },
          { key: 'people', text: t('report.cashiers') },
          { key: 'shifts', text: t('report.shifts') },
          { key: 'expenses', text: t('expenses') },
          { key: 'value', text: t('value.title') },
          { key: 'receivables', text: t('receivables') },
        ]}
      />
      {tab === 'shifts' ? <ShiftReport /> : <PeriodReports tab={tab} request={request} />}
    </>
  )
}

function PeriodReports({ tab, request }: { tab: string; request: ReportRequest | null }) {
  const t = useOfficeTexts()
  return (
    <div className="grid max-w-6xl gap-4 p-4 sm:p-6">
      <header>
        <h1 className="text-2xl font-bold">{t('area.reports')}</h1>
        <AsOfLine />
      </header>
      {request === null ? (
        <Empty icon={Store} title={t('report.noOutlet')} text={t('outlet.none')} />
      ) : (
        <>
          {tab !== 'receivables' && <RangeBar request={request} hasPeriod={tab !== 'value'} />}
          {tab === 'sales' && <SummaryReport request={request} />}
          {tab === 'sales' && <DayReport request={request} />}
          {tab === 'hours' && <HourReport request={request} />}
          {tab === 'goods' && <CategoryReport request={request} />}
          {tab === 'goods' && <ProductReport request={request} />}
          {tab === 'promotions' && <PromotionReport request={request} />}
          {tab === 'people' && <CashierReport request={request} />}
          {tab === 'expenses' && <ExpenseReport request={request} />}
          {tab === 'value' && <ValueReport request={request} />}
          {tab === 'receivables' && <ReceivablesReport />}
        </>
      )}
    </div>
  )
}
