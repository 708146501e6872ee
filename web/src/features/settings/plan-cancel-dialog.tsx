import { useMutation } from '@tanstack/react-query'
import { billingCancel } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { newKey } from '../../offline/key.ts'
import { usePlanTexts } from '../../texts/plan/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { formatDate } from './plan-data.ts'

/** Ends the plan with its last paid period. */
export function CancelDialog({ endsAt, onClose }: { endsAt: string | null; onClose(): void }) {
  const t = usePlanTexts()
  const [idempotencyKey] = useState(newKey)
  const cancel = useMutation({
    mutationFn: () => call(billingCancel, undefined, { idempotencyKey }),
    onSuccess: onClose,
  })
  return (
    <Dialog
      title={t('plan.cancel')}
      onClose={onClose}
      actions={
        <>
          <Button className="flex-1" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            className="flex-1"
            look="danger"
            disabled={cancel.isPending}
            onClick={() => cancel.mutate()}
          >
            {t('plan.cancel')}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p>{t('plan.cancelText', { date: endsAt === null ? '–' : formatDate(endsAt) })}</p>
        <Failure error={cancel.error} />
      </div>
    </Dialog>
  )
}
