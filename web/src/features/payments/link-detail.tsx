import { useQueryClient } from '@tanstack/react-query'
import { checkoutSessionsConfirm, checkoutSessionsGet } from 'kasir-client'
import { useEffect } from 'react'
import { useRecord } from '../../office/form/use-record.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { momentText } from '../../office/partner-data.ts'
import { RecordState } from '../../office/record-state.tsx'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { ActionButton } from './action-button.tsx'
import { Detail, Facts } from './detail.tsx'
import { LinkShare } from './link-share.tsx'
import { formatMoney, methodText } from './looks.tsx'
import { callPartner, readPartner } from './partner-calls.ts'
import { readSession } from './partner-records.ts'

/** An open link is looked at again this often, because its payer acts elsewhere. */
const EVERY_MS = 5_000

/** A payment link with its state, and the ways to hand it to the payer. */
export function LinkDetail({ id }: { id: string }) {
  const t = usePaymentsTexts()
  const queries = useQueryClient()
  const record = useRecord(['checkoutSession', id], () =>
    readPartner(checkoutSessionsGet, readSession, { id }),
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
          [t('created'), momentText(createdAt)],
          [t('link.until'), isOpen ? momentText(expiresAt) : null],
          [t('paidAt'), paidAt && momentText(paidAt)],
        ]}
      />
      {isOpen ? <LinkShare session={session} /> : <p className="text-muted">{t('link.ended')}</p>}
    </Detail>
  )
}
