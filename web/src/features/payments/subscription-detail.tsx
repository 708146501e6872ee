import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paymentSubscriptionsGet } from 'kasir-client'
import { useRecord } from '../../office/form/use-record.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { momentText } from '../../office/partner-data.ts'
import { RecordState } from '../../office/record-state.tsx'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Detail, Facts } from './detail.tsx'
import { readPartner } from './partner-calls.ts'
import { readSubscription } from './partner-records.ts'
import { SubscriptionActions } from './subscription-actions.tsx'
import { useSubscriptionNames } from './subscription-data.ts'

/** A subscription with its period, its last invoice, and what can be changed. */
export function SubscriptionDetail({ id }: { id: string }) {
  const t = usePaymentsTexts()
  const queries = useQueryClient()
  const names = useSubscriptionNames()
  const record = useRecord(['paymentSubscription', id], () =>
    readPartner(paymentSubscriptionsGet, readSubscription, { id }),
  )
  const subscription = record.data
  if (!subscription) return <RecordState query={record} ErrorView={ModuleFailure} />
  const { customerId, priceId, status, currentPeriodStart, currentPeriodEnd, canceledAt, latestInvoiceId } =
    subscription
  const isEnded = status === 'canceled'
  return (
    <Detail title={names.customerName(customerId)} status={status}>
      <Facts
        facts={[
          [t('subscription.price'), names.priceName(priceId)],
          [t('subscription.period'), `${momentText(currentPeriodStart)} – ${momentText(currentPeriodEnd)}`],
          [t('subscription.canceledAt'), canceledAt && momentText(canceledAt)],
          [
            t('subscription.invoice'),
            latestInvoiceId && (
              <Link
                key="invoice"
                to="/pembayaran"
                search={{ tab: 'invoices', id: latestInvoiceId }}
                className="font-semibold text-brand underline"
              >
                {t('subscription.openInvoice')}
              </Link>
            ),
          ],
        ]}
      />
      {subscription.cancelAtPeriodEnd && !isEnded && (
        <p role="status" className="rounded-xl bg-warn-soft p-3 font-medium text-warn">
          {t('subscription.ends', { date: momentText(currentPeriodEnd) })}
        </p>
      )}
      {!isEnded && (
        <SubscriptionActions
          subscription={subscription}
          offers={names.offers}
          onChanged={() => {
            void queries.invalidateQueries({ queryKey: ['payments'] })
            void record.refetch()
          }}
        />
      )}
    </Detail>
  )
}
