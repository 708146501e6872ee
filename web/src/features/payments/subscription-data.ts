import { useQuery } from '@tanstack/react-query'
import { paymentCustomersList, paymentPlansList } from 'kasir-client'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { readPartnerRows } from './partner-calls.ts'
import { readCustomer, readPlanRecord } from './partner-records.ts'
import { priceText } from './price-text.ts'

/** Names of customers and of prices with their plans, and the choices for a subscription. */
export function useSubscriptionNames() {
  const t = usePaymentsTexts()
  const query = useQuery({
    queryKey: ['payments', 'subscriptionNames'],
    queryFn: async () => {
      const [customers, plans] = await Promise.all([
        readPartnerRows(paymentCustomersList, readCustomer),
        readPartnerRows(paymentPlansList, readPlanRecord),
      ])
      return { customers, plans }
    },
  })
  const { customers = [], plans = [] } = query.data ?? {}
  const prices = plans.flatMap((plan) =>
    plan.prices.map((price) => ({
      value: price.id,
      text: `${plan.name} · ${priceText(t, price)}`,
      isOffered: plan.active && price.active,
    })),
  )
  return {
    query,
    customers: customers.map(({ id, name }) => ({ value: id, text: name || id })),
    offers: prices.filter(({ isOffered }) => isOffered),
    customerName: (id: string) => customers.find((customer) => customer.id === id)?.name || id || '–',
    priceName: (id: string) => (prices.find(({ value }) => value === id)?.text ?? id) || '–',
  }
}
