import { useQueryClient } from '@tanstack/react-query'
import { checkoutSessionsConfirm, checkoutSessionsGet } from 'kasir-client'
import { useEffect } from 'react'
import { useRecord } from '../../office/form/use-record.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { formatMoment } from '../../ui/time.ts'
import { ActionButton } from './action-button.tsx'
import { Detail, Facts } from './detail.tsx'
import { LinkShare } from './link-share.tsx'
import { formatMoney, methodText } from './looks.tsx'
import { callPartner } from './partner-calls.ts'
import type { CheckoutSession } from './partner-records.ts'

/** An open link is looked at again this often, because its payer acts elsewhere. */
const EVERY_MS = 5_000

/** A payment link with its state, and the ways to hand it to the payer. */
export function LinkDetail({ id }: { id: string }) {
  const t = usePaymentsTexts()
  const queries = useQueryClient()
  const record = useRecord(['checkoutSession', id], () =>
    callPartner<CheckoutSession>(checkoutSessionsGet, { id }),
  )
  const { refetch } = record
  const isOpen = record.data?.status === 'open'
  useEffect(() => {
    if (!isOpen) return
    const timer = setInterval(() => void refetch(), EVERY_MS)
    return () => clearInterval(timer)
  }, [isOpen, refetch])
  const session = record.data
  if (!session) return <RecordState query={record} ErrorView={ModuleFailure} />
  const { amount, currency, method, status, description, vaBank, vaNumber, paidAt, expiresAt, createdAt } =
    session
  return (
    <Detail
      title={description ?? t('link.unnamed')}
      status={status}
      actions={
        isOpen && (
          <ActionButton
            route="checkoutSessions.confirm"
            label={t('link.confirm')}
            text={t('link.confirmText')}
            look="primary"
            run={(options) => callPartner(checkoutSessionsConfirm, { id }, options)}
            onDone={() => {
              void queries.invalidateQueries({ queryKey: ['payments'] })
              void refetch()
            }}
          />
        )
      }
    >
      <Facts
        facts={[
          [t('amount'), formatMoney(amount, currency)],
          [t('method'), methodText(t, method)],
          [t('link.va'), vaNumber === null ? null : `${vaBank ?? ''} ${vaNumber}`.trim()],
          [t('created'), formatMoment(createdAt)],
          [t('link.until'), isOpen ? formatMoment(expiresAt) : null],
          [t('paidAt'), paidAt === null ? null : formatMoment(paidAt)],
        ]}
      />
      {isOpen ? <LinkShare session={session} /> : <p className="text-muted">{t('link.ended')}</p>}
    </Detail>
  )
}
