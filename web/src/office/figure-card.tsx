import { ArrowDownRight, ArrowUpRight, Minus } from 'lucide-react'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { classes } from '../ui/classes.ts'

type FigureProps = {
  label: string
  /** Absent until the service has answered. */
  value: number | undefined
  format(value: number): string
  /** The same figure of the period before; without it nothing is compared. */
  before?: number | undefined
  /** What the figure is compared with. */
  against?: string
}

/** A figure, and how it differs from an earlier period. */
export function FigureCard({ label, value, format, before, against }: FigureProps) {
  const t = useOfficeTexts()
  const percent =
    value === undefined || before === undefined || before === 0
      ? null
      : Math.round(((value - before) / before) * 100)
  const Icon = percent === null || percent === 0 ? Minus : percent > 0 ? ArrowUpRight : ArrowDownRight
  return (
    <div className="grid content-start gap-1 rounded-xl border bg-panel p-4">
      <span className="text-sm text-muted">{label}</span>
      <span className="text-xl font-bold break-words tabular-nums lg:whitespace-nowrap xl:text-2xl">
        {value === undefined ? '–' : format(value)}
      </span>
      {before !== undefined && (
        <span
          className={classes(
            'flex flex-wrap items-center gap-x-1 text-sm',
            percent === null || percent === 0 ? 'text-muted' : percent > 0 ? 'text-good' : 'text-danger',
          )}
        >
          <Icon aria-hidden size={16} className="shrink-0" />
          <span className="font-semibold tabular-nums">
            {percent === null ? t('figure.noBefore') : `${percent > 0 ? '+' : ''}${percent}%`}
          </span>
          <span className="text-muted">
            {against} <span className="whitespace-nowrap">{format(before)}</span>
          </span>
        </span>
      )}
    </div>
  )
}
