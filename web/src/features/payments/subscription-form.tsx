import { useQueryClient } from '@tanstack/react-query'
import { paymentSubscriptionsCreate } from 'kasir-client'
import { useRef } from 'react'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { idIn } from '../../office/partner-data.ts'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { readPartner } from './partner-calls.ts'
import { useSubscriptionNames } from './subscription-data.ts'

/** Starts a subscription of a customer; its first invoice is created immediately. */
export function SubscriptionForm() {
  const t = usePaymentsTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const { query, customers, offers } = useSubscriptionNames()
  const created = useRef<string | null>(null)
  const form = useForm<{ customerId: string; priceId: string }>({
    name: 'paymentSubscription:new',
    initial: { customerId: '', priceId: '' },
    save: async (values, _changes, options) => {
      created.current = (await readPartner(paymentSubscriptionsCreate, idIn, values, options)) || null
    },
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: ['payments'] })
      void setAddress({ id: created.current }, true)
    },
  })
  if (!query.data) return <RecordState query={query} ErrorView={ModuleFailure} />
  return (
    <FormPage
      title={t('subscription.new')}
      form={form}
      submitText={t('subscription.start')}
      before={<p className="text-muted">{t('subscription.newText')}</p>}
      fields={[
        {
          kind: 'choice',
          name: 'customerId',
          label: t('customer'),
          hint: t('subscription.customerHint'),
          isRequired: true,
          options: customers,
        },
        {
          kind: 'choice',
          name: 'priceId',
          label: t('subscription.price'),
          hint: t('subscription.priceHint'),
          isRequired: true,
          options: offers,
        },
      ]}
    />
  )
}
