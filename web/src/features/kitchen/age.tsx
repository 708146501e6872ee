import { Clock, TriangleAlert } from 'lucide-react'
import { useTexts } from '../../texts/texts.ts'
import { classes } from '../../ui/classes.ts'
import { useMinutesSince } from '../../ui/minutes.ts'

const SLOW_MINUTES = 8
const LATE_MINUTES = 15

/** The waiting time of an order, in words and colour. */
export function Age({ since }: { since: string }) {
  const t = useTexts()
  const minutes = useMinutesSince(since)
  const isLate = minutes >= LATE_MINUTES
  const isSlow = !isLate && minutes >= SLOW_MINUTES
  const Icon = isLate ? TriangleAlert : Clock
  return (
    <span
      className={classes(
        'inline-flex shrink-0 items-center gap-1.5 rounded-lg px-2 py-1 text-lg font-semibold tabular-nums',
        isLate && 'bg-danger-soft text-danger',
        isSlow && 'bg-warn-soft text-warn',
        !isLate && !isSlow && 'text-muted',
      )}
    >
      <Icon aria-hidden size={20} />
      {t('minutes', { n: minutes })}
      {isLate && <span className="sr-only">{t('kitchen.late')}</span>}
      {isSlow && <span className="sr-only">{t('kitchen.slow')}</span>}
    </span>
  )
}
