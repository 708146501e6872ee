import { useQueryClient } from '@tanstack/react-query'
import { checkoutSessionsConfirm, checkoutSessionsGet } from 'kasir-client'
import { useFollowedRecord } from '../../office/form/use-record.ts'
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

/** A payment link with its state, and the ways to hand it to the payer. */
export function LinkDetail({ id }: { id: string }) {
  const t = usePaymentsTexts()
  const queries = useQueryClient()
  const record = useFollowedRecord(
    ['checkoutSession', id],
    () => readPartner(checkoutSessionsGet, readSession, { id }),
    ({ status }) => status === 'open',
  )
  const session = record.data
  if (!session) return <RecordState query={record} ErrorView={ModuleFailure} />
  const { amount, currency, method, status, description, vaBank, vaNumber, paidAt, expiresAt, createdAt } =
    session
  return (
    <Detail
      title={description ?? t('link.unnamed')}
      status={status}
      actions={
        status === 'open' && (
          <ActionButton
            route="checkoutSessions.confirm"
            label={t('link.confirm')}
            text={t('link.confirmText')}
            look="primary"
            run={(options) => callPartner(checkoutSessionsConfirm, { id }, options)}
            onDone={() => {
              void queries.invalidateQueries({ queryKey: ['payments'] })
              void record.refetch()
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
          [t('link.until'), status === 'open' ? momentText(expiresAt) : null],
          [t('paidAt'), paidAt && momentText(paidAt)],
        ]}
      />
      {status === 'open' ? <LinkShare session={session} /> : <p className="text-muted">{t('link.ended')}</p>}
    </Detail>
  )
}
