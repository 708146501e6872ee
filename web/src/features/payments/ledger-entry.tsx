import { Link } from '@tanstack/react-router'
import { ledgerGetEntry } from 'kasir-client'
import { useRecord } from '../../office/form/use-record.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { momentText } from '../../office/partner-data.ts'
import { RecordState } from '../../office/record-state.tsx'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Detail, Facts } from './detail.tsx'
import { typeText } from './ledger-list.tsx'
import { formatMoney } from './looks.tsx'
import { readPartner } from './partner-calls.ts'
import { readEntry } from './partner-records.ts'

/** One entry of the ledger, with the payment or payout that it is about. */
export function EntryDetail({ id }: { id: string }) {
  const t = usePaymentsTexts()
  const record = useRecord(['ledgerEntry', id], () => readPartner(ledgerGetEntry, readEntry, { id }))
  const entry = record.data
  if (!entry) return <RecordState query={record} ErrorView={ModuleFailure} />
  const { type, amount, currency, balanceAfter, sourceId, createdAt } = entry
  const isPayout = type.startsWith('payout')
  return (
    <Detail title={typeText(t, type)}>
      <Facts
        facts={[
          [t('amount'), formatMoney(amount, currency)],
          [t('entry.balanceAfter'), formatMoney(balanceAfter, currency)],
          [t('created'), momentText(createdAt)],
          [
            t('entry.source'),
            isPayout ? (
              <Link
                to="/pembayaran"
                search={{ tab: 'payouts', id: sourceId }}
                className="font-semibold text-brand underline"
              >
                {sourceId}
              </Link>
            ) : (
              sourceId
            ),
          ],
        ]}
      />
    </Detail>
  )
}
