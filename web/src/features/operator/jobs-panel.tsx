import type { OperatorJob } from 'kasir-client'
import { type FigureColumn, FigureTable } from '../../office/figure-table.tsx'
import { Panel } from '../../office/panel.tsx'
import { StateMark } from '../../office/state-mark.tsx'
import { useOperatorTexts } from '../../texts/operator/texts.ts'
import { formatMoment } from '../../ui/time.ts'
import { formatDuration, formatElapsed } from './format.ts'

/** As in GET /health: one unfinished run is a restart, two in a row are a fault. */
const UNFINISHED_LIMIT = 2
/** The same limit as in kasir doctor: a longer run may hang. */
const LONG_RUN_S = 600

type JobsPanelProps = { jobs: readonly OperatorJob[]; readAt: string }

export function JobsPanel({ jobs, readAt }: JobsPanelProps) {
  const t = useOperatorTexts()
  const columns: FigureColumn<OperatorJob>[] = [
    { key: 'name', title: t('jobs.name'), cell: ({ name }) => name },
    {
      key: 'state',
      title: t('jobs.state'),
      isText: true,
      cell: (job) => <JobState job={job} readAt={readAt} />,
    },
    {
      key: 'lastRun',
      title: t('jobs.lastRun'),
      from: 'sm',
      cell: ({ startedAt }) => (startedAt === null ? '–' : formatMoment(startedAt)),
    },
    {
      key: 'duration',
      title: t('jobs.duration'),
      from: 'sm',
      cell: ({ durationMs }) => (durationMs === null ? '–' : formatDuration(durationMs)),
    },
    { key: 'next', title: t('jobs.next'), from: 'sm', cell: ({ dueAt }) => formatMoment(dueAt) },
  ]
  return (
    <Panel title={t('jobs.title')}>
      <FigureTable
        label={t('jobs.title')}
        rows={jobs}
        columns={columns}
        idOf={({ name }) => name}
        totalLabel=""
        nothing={t('jobs.none')}
      />
    </Panel>
  )
}

function JobState({ job, readAt }: { job: OperatorJob; readAt: string }) {
  const t = useOperatorTexts()
  const { failure, isRunning, startedAt, unfinishedRuns } = job
  const runningForS =
    isRunning && startedAt !== null ? (Date.parse(readAt) - Date.parse(startedAt)) / 1_000 : 0
  // A hanging run comes first: failure and unfinishedRuns describe earlier runs.
  if (runningForS > LONG_RUN_S)
    return <StateMark look="danger">{t('jobs.runningFor', { time: formatElapsed(runningForS) })}</StateMark>
  if (failure !== null)
    return (
      <>
        <StateMark look="danger">{t('jobs.failed')}</StateMark>{' '}
        <span lang="en" className="wrap-anywhere">
          {failure}
        </span>
      </>
    )
  if (unfinishedRuns >= UNFINISHED_LIMIT)
    return <StateMark look="danger">{t('jobs.unfinished', { count: unfinishedRuns })}</StateMark>
  if (isRunning) return <StateMark look="muted">{t('jobs.running')}</StateMark>
  return startedAt === null ? (
    <StateMark look="muted">{t('jobs.waiting')}</StateMark>
  ) : (
    <StateMark look="good">{t('jobs.ok')}</StateMark>
  )
}
