import type { OperatorFinding } from 'kasir-client'
import { Panel } from '../../office/panel.tsx'
import { StateMark } from '../../office/state-mark.tsx'
import { isOperatorKey, useOperatorTexts } from '../../texts/operator/texts.ts'
import { manualOf } from './manual.ts'

const ORDER = ['fault', 'warn', 'note', 'ok'] as const
const LOOKS = { fault: 'danger', warn: 'warn', note: 'muted', ok: 'good' } as const

/** What the doctor found, the worst first. Its sentences are English, as kasir doctor prints them. */
export function FindingsPanel({ findings }: { findings: readonly OperatorFinding[] }) {
  const t = useOperatorTexts()
  const open = ORDER.slice(0, -1).flatMap((state) => findings.filter((one) => one.state === state))
  const passed = findings.filter(({ state }) => state === 'ok')
  return (
    <Panel title={t('findings.title')}>
      {open.length === 0 && <p className="px-4 py-3">{t('findings.none')}</p>}
      <ul className="divide-y">
        {open.map((finding) => (
          <Finding key={finding.check + finding.found} finding={finding} />
        ))}
      </ul>
      <details className="border-t">
        <summary className="flex min-h-12 cursor-pointer items-center px-4 font-medium">
          {t('findings.passed', { count: passed.length })}
        </summary>
        <ul className="divide-y border-t">
          {passed.map((finding) => (
            <Finding key={finding.check + finding.found} finding={finding} />
          ))}
        </ul>
      </details>
      <p className="border-t px-4 py-3 text-sm text-muted">{t('findings.rest')}</p>
    </Panel>
  )
}

function Finding({ finding: { check, state, found, remedy } }: { finding: OperatorFinding }) {
  const t = useOperatorTexts()
  const key = `name.${check}`
  const manual = state === 'ok' ? null : manualOf(check)
  return (
    <li className="grid gap-1 px-4 py-3 text-sm">
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-semibold">{isOperatorKey(key) ? t(key) : check}</span>
        <StateMark look={LOOKS[state]}>{t(`finding.${state}`)}</StateMark>
      </span>
      <span lang="en" className="wrap-anywhere">
        {found}
      </span>
      {remedy !== null && (
        <span className="wrap-anywhere">
          <span className="font-medium">{t('findings.remedy')}:</span> <span lang="en">{remedy}</span>
        </span>
      )}
      {manual !== null && (
        <span className="wrap-anywhere text-muted">{t('findings.more', { page: manual })}</span>
      )}
    </li>
  )
}
