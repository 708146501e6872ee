import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isKasirError, type Module, modulesList, modulesToggle } from 'kasir-client'
import { useState } from 'react'
import { useRequestKey } from '../../app/request-key.ts'
import { call } from '../../app/service.ts'
import { ConfirmDialog } from '../../office/confirm-dialog.tsx'
import { May, useMay } from '../../office/may.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { StateMark } from '../../office/state-mark.tsx'
import { usePlanTexts } from '../../texts/plan/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { formatDate } from './plan-data.ts'

/** The modules with what switching each of them on or off means. */
export function ModuleList() {
  const t = usePlanTexts()
  const may = useMay()
  const [chosen, setChosen] = useState<Module | null>(null)
  const answer = useQuery({
    queryKey: ['modules'],
    queryFn: async () => (await call(modulesList)).modules,
    // A plan that was just paid for allows them.
    refetchOnMount: 'always',
  })
  if (!answer.data) return <RecordState query={answer} />
  return (
    <section className="grid max-w-4xl gap-4 p-4 sm:p-6">
      <h1 className="text-2xl font-bold">{t('modules')}</h1>
      <p className="text-muted">{t('modules.text')}</p>
      {answer.data.some(({ allowed }) => !allowed) && (
        <p className="rounded-xl bg-warn-soft p-3 font-medium text-warn">
          {t('modules.notAllowed')}{' '}
          {may('billing.get') ? (
            <Link to="/pengaturan" search={{ tab: 'plan' }} className="font-semibold underline">
              {t('modules.toPlan')}
            </Link>
          ) : (
            t('modules.askOwner')
          )}
        </p>
      )}
      <ul aria-label={t('modules')} className="grid gap-3">
        {answer.data.map((module) => (
          <ModuleRow key={module.module} module={module} onChoose={() => setChosen(module)} />
        ))}
      </ul>
      {chosen && <ToggleDialog module={chosen} onClose={() => setChosen(null)} />}
    </section>
  )
}

function ModuleRow({ module, onChoose }: { module: Module; onChoose(): void }) {
  const t = usePlanTexts()
  const { module: name, enabled, allowed, provisionedAt } = module
  const title = t(`module.${name}`)
  return (
    <li className="flex flex-wrap items-start gap-3 rounded-xl border bg-panel p-4">
      <div className="min-w-48 flex-1">
        <h2 className="flex flex-wrap items-center gap-2 font-semibold">
          {title}
          <StateMark look={enabled ? 'good' : 'muted'}>{t(enabled ? 'modules.on' : 'modules.off')}</StateMark>
        </h2>
        <p className="mt-1 text-muted">{t(`module.${name}.on`)}</p>
        {provisionedAt !== null && (
          <p className="mt-1 text-sm text-muted">{t('modules.since', { date: formatDate(provisionedAt) })}</p>
        )}
      </div>
      <May route="modules.toggle">
        <Button
          aria-label={t(enabled ? 'modules.switchOffName' : 'modules.switchOnName', { name: title })}
          disabled={!enabled && !allowed}
          onClick={onChoose}
        >
          {t(enabled ? 'modules.switchOff' : 'modules.switchOn')}
        </Button>
      </May>
    </li>
  )
}

function ToggleDialog({ module, onClose }: { module: Module; onClose(): void }) {
  const t = usePlanTexts()
  const queries = useQueryClient()
  const send = useRequestKey()
  const { module: name, enabled } = module
  return (
    <ConfirmDialog
      title={t(enabled ? 'modules.switchOffName' : 'modules.switchOnName', { name: t(`module.${name}`) })}
      verb={t(enabled ? 'modules.switchOff' : 'modules.switchOn')}
      look={enabled ? 'danger' : 'primary'}
      run={() =>
        send((idempotencyKey) => call(modulesToggle, { module: name, enabled: !enabled }, { idempotencyKey }))
      }
      onDone={() => {
        void queries.invalidateQueries({ queryKey: ['modules'] })
        onClose()
      }}
      onClose={onClose}
      showError={(error) => (
        <Failure error={error} sentence={isPartnerAway(error) ? t('modules.partner') : null} />
      )}
    >
      <p>{t(enabled ? `module.${name}.off` : `module.${name}.on`)}</p>
      {enabled && <p>{t('modules.offText')}</p>}
    </ConfirmDialog>
  )
}

const isPartnerAway = (error: unknown): boolean =>
  isKasirError(error) && [502, 503, 504].includes(error.status)
