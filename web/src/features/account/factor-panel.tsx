import { useQuery } from '@tanstack/react-query'
import {
  authGetSecondFactor,
  authRenewRecoveryCodes,
  authSetUpSecondFactor,
  authSwitchOffSecondFactor,
  type SecondFactor,
} from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { Panel } from '../../office/panel.tsx'
import { AccountFailure } from '../../office/proof/account-failure.tsx'
import { type Proof, ProofCanceled, type ProofNeed, withProof } from '../../office/proof/proof.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { useAccountTexts } from '../../texts/account/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatMoment } from '../../ui/time.ts'
import { EnrolmentForm } from './enrolment-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type Enrolment = { secret: string; url: string }

/** The second factor: set up, new recovery codes, switched off. Each asks for proof first. */
export function FactorPanel() {
  const t = useAccountTexts()
  const answer = useQuery({
    queryKey: ['secondFactor'],
    queryFn: async () => (await call(authGetSecondFactor)).secondFactor,
  })
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const act = async <D,>(need: ProofNeed, send: (proof: Proof) => Promise<D>, onDone: (data: D) => void) => {
    setBusy(true)
    setError(null)
    try {
      onDone(await withProof(need, send))
    } catch (caught) {
      if (!(caught instanceof ProofCanceled)) setError(caught)
    } finally {
      setBusy(false)
      void answer.refetch()
    }
  }
  const setUp = () => act('password', (proof) => call(authSetUpSecondFactor, proof), setEnrolment)
  const renew = () =>
    act(
      'both',
      (proof) => call(authRenewRecoveryCodes, withCode(proof)),
      ({ recoveryCodes }) => setCodes(recoveryCodes),
    )
  const switchOff = () =>
    act(
      'both',
      (proof) => call(authSwitchOffSecondFactor, withCode(proof)),
      () => setCodes(null),
    )
  const factor = answer.data
  return (
    <Panel title={t('factor')} error={factor ? null : answer.error}>
      <div className="grid gap-4 p-4">
        <p className="text-muted">{t('factor.text')}</p>
        {factor && <FactorState factor={factor} />}
        <AccountFailure error={error} />
        {codes !== null && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
        {enrolment !== null && (
          <EnrolmentForm
            {...enrolment}
            onConfirmed={(recoveryCodes) => {
              setEnrolment(null)
              setCodes(recoveryCodes)
              void answer.refetch()
            }}
            onCancel={() => setEnrolment(null)}
          />
        )}
        {factor && codes === null && enrolment === null && (
          <div className="flex flex-wrap gap-2">
            {factor.enabled ? (
              <>
                <Button disabled={isBusy} onClick={() => void renew()}>
                  {t('factor.renew')}
                </Button>
                {!factor.required && (
                  <Button look="danger" disabled={isBusy} onClick={() => void switchOff()}>
                    {t('factor.switchOff')}
                  </Button>
                )}
              </>
            ) : (
              <Button look="primary" disabled={isBusy} onClick={() => void setUp()}>
                {t('factor.setUp')}
              </Button>
            )}
          </div>
        )}
      </div>
    </Panel>
  )
}

const withCode = (proof: Proof) => ({ ...proof, code: proof.code ?? '' })

function FactorState({ factor }: { factor: SecondFactor }) {
  const t = useAccountTexts()
  const { enabled, enabledAt, recoveryCodesLeft, required } = factor
  return (
    <div className="grid justify-items-start gap-1">
      <StateMark look={enabled ? 'good' : 'muted'}>
        {enabled && enabledAt !== null ? t('factor.on', { time: formatMoment(enabledAt) }) : t('factor.off')}
      </StateMark>
      {enabled && <p className="text-sm">{t('factor.codesLeft', { n: recoveryCodesLeft })}</p>}
      {enabled && recoveryCodesLeft < 3 && <p className="text-sm text-warn">{t('factor.codesFew')}</p>}
      {required && <p className="text-sm">{t('factor.required')}</p>}
    </div>
  )
}
