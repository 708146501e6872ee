import { useOfficeTexts } from '../texts/office/texts.ts'
import { formatTime } from '../ui/time.ts'
import { useOldestAsOf } from './report-query.ts'

/** Says from when the figures of this page are, if they came from a replica that is behind. */
export function AsOfLine() {
  const t = useOfficeTexts()
  const asOf = useOldestAsOf()
  return asOf !== null && <p className="text-sm text-muted">{t('report.asOf', { time: formatTime(asOf) })}</p>
}
