import { addDays } from '../../office/days.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { useAllOutletOptions } from '../../office/use-outlet-options.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { FIELD } from '../../ui/field.tsx'
import { isRange, RANGES } from './range.ts'
import type { ReportRequest } from './use-report.ts'

/** The stock is worth something on a day, not over a period. */
export function RangeBar({ request, hasPeriod }: { request: ReportRequest; hasPeriod: boolean }) {
  const t = useOfficeTexts()
  const [address, setAddress] = useOfficeSearch()
  const outlets = useAllOutletOptions()
  const range = isRange(address['range']) ? address['range'] : '7'
  const label = 'grid min-w-36 gap-1 text-sm font-medium max-sm:flex-1'
  return (
    <div className="flex flex-wrap gap-3">
      {hasPeriod && (
        <label className={label}>
          {t('report.period')}
          <select
            className={`${FIELD} font-normal`}
            value={range}
            onChange={({ target }) => void setAddress({ range: target.value === '7' ? null : target.value })}
          >
            {RANGES.map((each) => (
              <option key={each} value={each}>
                {t(`range.${each}`)}
              </option>
            ))}
          </select>
        </label>
      )}
      {hasPeriod && range === 'own' && (
        <>
          <label className={label}>
            {t('range.from')}
            <input
              type="date"
              className={`${FIELD} font-normal`}
              max={request.today}
              value={request.from}
              onChange={({ target }) => void setAddress({ from: target.value })}
            />
          </label>
          <label className={label}>
            {t('range.to')}
            <input
              type="date"
              className={`${FIELD} font-normal`}
              max={request.today}
              value={addDays(request.to, -1)}
              onChange={({ target }) => void setAddress({ to: target.value })}
            />
          </label>
        </>
      )}
      {outlets.length > 1 && (
        <label className={label}>
          {t('outlet')}
          <select
            className={`${FIELD} font-normal`}
            value={request.outletId}
            onChange={({ target }) => void setAddress({ outlet: target.value })}
          >
            {outlets.map(({ value, text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  )
}
