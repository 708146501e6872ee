import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isKasirError, type Module, modulesList } from 'kasir-client'
import { PowerOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { call } from '../app/service.ts'
import { useGateTexts } from '../texts/module-gate/texts.ts'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { useMay } from './may.tsx'
import { isPartnerAway } from './partner-away.ts'
import { partnerRefusalIn } from './partner-refusal.ts'

type GateProps = { module: Module['module']; children: ReactNode }

/** Shows a page of a module while the module is on; otherwise says so and leads to the settings. */
export function ModuleGate({ module, children }: GateProps) {
  const t = useOfficeTexts()
  const gate = useGateTexts()
  const answer = useQuery({
    queryKey: ['modules'],
    queryFn: async () => (await call(modulesList)).modules,
    // Another member can switch it at any time.
    refetchOnMount: 'always',
  })
  if (answer.isPending)
    return (
      <p role="status" className="p-6 text-muted">
        {t('loading')}
      </p>
    )
  const isOff = answer.data?.some((each) => each.module === module && !each.enabled)
  if (!isOff) return children
  return (
    <Empty as="h1" icon={PowerOff} title={gate(`gate.${module}`)} text={gate('gate.text')}>
      <ModuleLink />
    </Empty>
  )
}

/** Leads to the settings of modules, or says who may open them. */
function ModuleLink() {
  const gate = useGateTexts()
  const may = useMay()
  if (!may('modules.toggle')) return <p className="max-w-sm text-muted">{gate('gate.ask')}</p>
  return (
    <Link
      to="/pengaturan"
      search={{ tab: 'modules' }}
      className="inline-flex min-h-11 items-center font-semibold underline"
    >
      {gate('gate.open')}
    </Link>
  )
}

type ModuleFailureProps = { error: unknown; isWrite?: boolean; children?: ReactNode }

/**
 * An error of a module with its next step: its partner does not answer, or the module was switched off meanwhile. After
 * a write without an answer, the next press repeats it under the same key. A refusal quotes the partner.
 */
export function ModuleFailure({ error, isWrite = false, children }: ModuleFailureProps) {
  const gate = useGateTexts()
  const isAway = isPartnerAway(error)
  const isOff = isKasirError(error) && error.code.endsWith('_MODULE_DISABLED')
  const refusal = partnerRefusalIn(error, gate)
  const away = isAway ? gate(isWrite ? 'gate.awayWrite' : 'gate.away') : null
  return (
    <Failure error={error} sentence={refusal?.sentence ?? away}>
      {refusal && <p className="mt-1 text-sm wrap-anywhere">{refusal.quotation}</p>}
      {(isAway || isOff) && (
        <div className="mt-1">
          <ModuleLink />
        </div>
      )}
      {children}
    </Failure>
  )
}
