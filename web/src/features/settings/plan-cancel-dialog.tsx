import { billingCancel } from 'kasir-client'
import { useRequestKey } from '../../app/request-key.ts'
import { call } from '../../app/service.ts'
import { ConfirmDialog } from '../../office/confirm-dialog.tsx'
import { usePlanTexts } from '../../texts/plan/texts.ts'
import { formatDate } from './plan-data.ts'

/** Ends the plan with its last paid period. */
export function CancelDialog({ endsAt, onClose }: { endsAt: string | null; onClose(): void }) {
  const t = usePlanTexts()
  const send = useRequestKey()
  return (
    <ConfirmDialog
      title={t('plan.cancel')}
      verb={t('plan.cancel')}
      run={() => send((idempotencyKey) => call(billingCancel, undefined, { idempotencyKey }))}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{t('plan.cancelText', { date: endsAt === null ? '–' : formatDate(endsAt) })}</p>
    </ConfirmDialog>
  )
}
