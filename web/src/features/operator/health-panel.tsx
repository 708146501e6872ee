import type { OperatorOverview, OperatorQueue } from 'kasir-client'
import type { ReactNode } from 'react'
import { Panel } from '../../office/panel.tsx'
import { StateMark } from '../../office/state-mark.tsx'
import { useOperatorTexts } from '../../texts/operator/texts.ts'
import { formatMoment } from '../../ui/time.ts'
import { formatBytes, formatCount, formatDuration } from './format.ts'

const OVERALL = { ok: 'good', degraded: 'warn', down: 'danger' } as const
const CHECKS = { ok: 'good', down: 'danger', off: 'muted' } as const
const DISKS = { ok: 'good', low: 'warn', critical: 'danger' } as const
const CHECK_NAMES = [
  'database',
  'storage',
  'workers',
  'replica',
  'paymentPartner',
  'fulfillmentPartner',
  'marketingPartner',
] as const
const QUEUES = ['webhooks', 'mails', 'printJobs'] as const

/** No server answers for the data directory, and a replica may answer and be too far behind. */
const DOWN_TEXTS = { storage: 'state.unwritable', replica: 'state.unused' } as const
const textOf = (name: (typeof CHECK_NAMES)[number], state: keyof typeof CHECKS) =>
  (state === 'down' && DOWN_TEXTS[name as keyof typeof DOWN_TEXTS]) || (`state.${state}` as const)

/** What GET /health says, what waits, and the process that answered. */
export function HealthPanel({ data }: { data: OperatorOverview }) {
  const t = useOperatorTexts()
  const { health, queues, database, process } = data
  const memory = formatBytes(process.memoryBytes)
  const waiting = ({ count, oldestAt }: OperatorQueue) =>
    oldestAt === null
      ? formatCount(count)
      : t('queue.since', { count: formatCount(count), time: formatMoment(oldestAt) })
  return (
    <Panel
      title={t('health.title')}
      actions={<StateMark look={OVERALL[health.status]}>{t(`health.${health.status}`)}</StateMark>}
    >
      <dl className="divide-y text-sm">
        {CHECK_NAMES.map((name) => (
          <Row key={name} label={t(`check.${name}`)}>
            <StateMark look={CHECKS[health.checks[name]]}>{t(textOf(name, health.checks[name]))}</StateMark>
          </Row>
        ))}
        {health.disks.map(({ name, freeBytes, state }) => (
          <Row key={name} label={t(`disk.${name}`)}>
            <StateMark look={DISKS[state]}>{t('free', { size: formatBytes(freeBytes) })}</StateMark>
          </Row>
        ))}
        {QUEUES.map((name) => (
          <Row key={name} label={t(`queue.${name}`)}>
            {queues === null ? t('queue.unknown') : waiting(queues[name])}
          </Row>
        ))}
        <Row label={t('latency')}>{formatDuration(database.latencyMs)}</Row>
        <Row label={t('host')}>
          {process.host}, PostgreSQL {database.version}
          <br />
          {t('process', { version: process.nodeVersion, pid: process.pid, memory })}
        </Row>
      </dl>
    </Panel>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 py-2">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 text-right wrap-anywhere tabular-nums">{children}</dd>
    </div>
  )
}
