import { type ApprovalCreate, approvalsCreate, type PinHolder } from 'kasir-client'
import { useState } from 'react'
import type { ApprovalRequest } from '../../app/approval.ts'
import { call } from '../../app/service.ts'
import { useTill } from '../../app/till.ts'
import { newKey } from '../../offline/key.ts'
import { type ApprovalKey, useApprovalTexts } from '../../texts/approval/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PinPad } from '../../ui/pin-pad.tsx'
import { MemberChoice } from './member-choice.tsx'

/** A manager approves the cashier's request by name and PIN, and the request continues. */
export function ApprovalDialog({ request }: { request: ApprovalRequest }) {
  const t = useApprovalTexts()
  const till = useTill((state) => state.till)
  const managers = useTill((state) => state.members).filter(({ role }) => role !== 'CASHIER')
  const [chosen, setChosen] = useState<PinHolder | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const approve = async (memberId: string, pin: string) => {
    setBusy(true)
    setError(null)
    try {
      const action = request.action as ApprovalCreate['action']
      const body = { memberId, pin, action, subjectId: request.subjectId }
      const { token } = await call(approvalsCreate, body, { idempotencyKey: newKey() })
      request.answer(token)
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('approval.title')} onClose={() => request.answer(null)}>
      <div className="grid gap-4">
        <p className="text-muted">
          {t('approval.text', { action: t(`approval.${request.action}` as ApprovalKey) })}
        </p>
        {till === null && <Notice text={t('approval.noTill')} />}
        {till !== null && managers.length === 0 && <Notice text={t('approval.noManager')} />}
        <Failure error={error} />
        {chosen === null ? (
          <MemberChoice members={managers} onChoose={setChosen} />
        ) : (
          <>
            <p className="text-center text-lg font-semibold">{chosen.name}</p>
            <PinPad
              key={chosen.id}
              confirm={t('approval.approve')}
              isBusy={isBusy}
              onPin={(pin) => void approve(chosen.id, pin)}
            />
            <Button look="quiet" onClick={() => setChosen(null)}>
              {t('lock.others')}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  )
}
