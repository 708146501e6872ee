import { useQueryClient } from '@tanstack/react-query'
import { payoutsGet, payoutsUpdate } from 'kasir-client'
import { useRecord } from '../../office/form/use-record.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { momentText } from '../../office/partner-data.ts'
import { RecordState } from '../../office/record-state.tsx'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { ActionButton } from './action-button.tsx'
import { Detail, Facts } from './detail.tsx'
import { formatMoney } from './looks.tsx'
import { callPartner, readPartner } from './partner-calls.ts'
import { readPayout } from './partner-records.ts'

/** A payout with its state. One that the partner has not begun can be canceled. */
export function PayoutDetail({ id }: { id: string }) {
  const t = usePaymentsTexts()
  const queries = useQueryClient()
  const record = useRecord(['payout', id], () => readPartner(payoutsGet, readPayout, { id }))
  const payout = record.data
  if (!payout) return <RecordState query={record} ErrorView={ModuleFailure} />
  const {
    amount,
    currency,
    status,
    bankName,
    accountLast4,
    accountHolder,
    failureReason,
    paidAt,
    createdAt,
  } = payout
  return (
    <Detail
      title={t('payout.title', { amount: formatMoney(amount, currency) })}
      status={status}
      actions={
        status === 'pending' && (
          <ActionButton
            route="payouts.update"
            label={t('payout.cancel')}
            text={t('payout.cancelText')}
            run={(options) => callPartner(payoutsUpdate, { id, status: 'canceled' }, options)}
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
          [t('bank'), `${bankName} ···${accountLast4}`],
          [t('bank.holder'), accountHolder],
          [t('created'), momentText(createdAt)],
          [t('paidAt'), paidAt && momentText(paidAt)],
          [t('payout.reason'), failureReason],
        ]}
      />
      <p className="text-muted">{t(status === 'pending' ? 'payout.pendingText' : 'payout.laterText')}</p>
    </Detail>
  )
}
