import type { PrintJob } from 'kasir-client'
import { StateMark } from '../../office/state-mark.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'

const LOOKS = { queued: 'warn', printing: 'warn', printed: 'good', failed: 'danger' } as const

export function JobState({ job: { status } }: { job: PrintJob }) {
  const t = useOfficeTexts()
  return <StateMark look={LOOKS[status]}>{t(`job.${status}`)}</StateMark>
}

/** The reason of the last failure, and the next step. */
export function JobReason({ job: { kind, reason, status } }: { job: PrintJob }) {
  const t = useOfficeTexts()
  if (reason === null) return null
  return (
    <span className={status === 'failed' ? 'text-sm text-danger' : 'text-sm text-warn'}>
      {t(kind === 'DRAWER' && reason === 'TOO_OLD' ? 'drawer.late' : `fault.${reason}`)}
    </span>
  )
}
