import { useMutation } from '@tanstack/react-query'
import type { OperatorOverview } from 'kasir-client'
import { LogOut, Store } from 'lucide-react'
import { queries } from '../../app/queries.ts'
import { LanguageButton, ThemeButton } from '../../app/screen-buttons.tsx'
import { useOperatorTexts } from '../../texts/operator/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { formatTime } from '../../ui/time.ts'
import { BackupsPanel } from './backups-panel.tsx'
import { FindingsPanel } from './findings-panel.tsx'
import { formatBytes, formatCount, formatElapsed } from './format.ts'
import { HealthPanel } from './health-panel.tsx'
import { JobsPanel } from './jobs-panel.tsx'
import { signOut } from './operator-service.ts'
import { TablesPanel } from './tables-panel.tsx'
import { WorkspacesPanel } from './workspaces-panel.tsx'

type OverviewProps = {
  data: OperatorOverview
  /** Whether the last reload failed. */
  isLate: boolean
}

export function Overview({ data, isLate }: OverviewProps) {
  const t = useOperatorTexts()
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: () => queries.resetQueries({ queryKey: ['operator'] }),
  })
  const { health, database } = data
  const free = health.disks.map(({ freeBytes }) => freeBytes)
  const facts = [
    [t('version'), health.version],
    [t('uptime'), formatElapsed(health.uptimeSeconds)],
    [t('databaseSize'), formatBytes(database.bytes)],
    [t('freeSpace'), free.length === 0 ? '–' : formatBytes(Math.min(...free))],
    [t('connections'), t('ofLimit', database.connections)],
    [t('workspaces'), data.workspaceCount === null ? '–' : formatCount(data.workspaceCount)],
  ] as const
  const time = formatTime(data.readAt)
  return (
    <div className="min-h-dvh">
      <header className="flex flex-wrap items-center gap-x-2 border-b bg-panel p-2 sm:px-4">
        <Store aria-hidden size={24} className="ml-2 text-brand" />
        <h1 className="min-w-0 flex-1 text-lg font-bold">{t('title')}</h1>
        <LanguageButton />
        <ThemeButton />
        <Button look="quiet" disabled={leaving.isPending} onClick={() => leaving.mutate()}>
          <LogOut aria-hidden size={20} />
          {t('signOut')}
        </Button>
      </header>
      <main className="mx-auto grid max-w-7xl items-start gap-4 p-4 lg:grid-cols-2 [&>*]:min-w-0">
        <p className="text-sm text-muted lg:col-span-2">{t(isLate ? 'late' : 'readAt', { time })}</p>
        <Failure error={leaving.error} />
        <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:col-span-2 xl:grid-cols-6">
          {facts.map(([label, value]) => (
            <div key={label} className="grid content-start gap-1 rounded-xl border bg-panel p-3">
              <dt className="text-sm text-muted">{label}</dt>
              <dd className="text-lg font-bold wrap-anywhere tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        <div className="grid gap-4 [&>*]:min-w-0">
          <FindingsPanel findings={data.findings} />
          <BackupsPanel backups={data.backups} />
        </div>
        <HealthPanel data={data} />
        <div className="lg:col-span-2">
          <JobsPanel jobs={data.jobs} readAt={data.readAt} />
        </div>
        <div className="lg:col-span-2">
          <WorkspacesPanel />
        </div>
        <div className="lg:col-span-2">
          <TablesPanel database={database} />
        </div>
      </main>
    </div>
  )
}
