import { useQuery, useQueryClient } from '@tanstack/react-query'
import { checkoutSessionsCreate, paymentPlansList } from 'kasir-client'
import { useRef } from 'react'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { idIn } from '../../office/partner-data.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatMoney, methodText } from './looks.tsx'
import { readPartner, readPartnerRows } from './partner-calls.ts'
import { readPlanRecord } from './partner-records.ts'

type LinkValues = {
  amount: number | null
  method: string | null
  expiresInSeconds: string | null
  description: string | null
}
const NEW: LinkValues = { amount: null, method: 'hosted', expiresInSeconds: '86400', description: null }
const LIFETIMES = [900, 3_600, 86_400, 604_800, 2_592_000] as const
/** More buttons than this are no help; the amount is typed then. */
const MOST_PLANS = 6

/** Creates a payment link for an amount, or for the price of a plan. */
export function LinkForm() {
  const t = usePaymentsTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const created = useRef<string | null>(null)
  const plans = useQuery({
    queryKey: ['payments', 'planChoice'],
    queryFn: () => readPartnerRows(paymentPlansList, readPlanRecord),
  })
  const form = useForm<LinkValues>({
    name: 'paymentLink:new',
    initial: NEW,
    save: async ({ amount, method, expiresInSeconds, description }, _changes, options) => {
      const body = {
        amount,
        currency: 'IDR',
        method,
        description,
        expiresInSeconds: Number(expiresInSeconds),
      }
      created.current = (await readPartner(checkoutSessionsCreate, idIn, body, options)) || null
    },
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: ['payments'] })
      void setAddress({ id: created.current }, true)
    },
  })
  const offers = (plans.data ?? [])
    .filter(({ active }) => active)
    .flatMap(({ name, prices }) => prices.map((price) => ({ name, ...price })))
    .filter(({ active, currency }) => active && currency === 'IDR')
    .slice(0, MOST_PLANS)
  return (
    <FormPage
      title={t('link.new')}
      form={form}
      submitText={t('link.create')}
      before={
        offers.length > 0 && (
          <div role="group" aria-label={t('link.fromPlan')} className="flex flex-wrap gap-2">
            {offers.map(({ id, name, amount }) => (
              <Button
                key={id}
                className="max-w-full wrap-anywhere"
                onClick={() => form.set({ amount, description: name })}
              >
                {name} · {formatMoney(amount, 'IDR')}
              </Button>
            ))}
          </div>
        )
      }
      fields={[
        { kind: 'money', name: 'amount', label: t('amount'), isRequired: true },
        {
          kind: 'choice',
          name: 'method',
          label: t('method'),
          hint: t('link.methodHint'),
          isRequired: true,
          options: ['hosted', 'qris', 'va'].map((value) => ({ value, text: methodText(t, value) })),
        },
        {
          kind: 'choice',
          name: 'expiresInSeconds',
          label: t('link.lifetime'),
          hint: t('link.lifetimeHint'),
          isRequired: true,
          options: LIFETIMES.map((value) => ({ value: String(value), text: t(`lifetime.${value}`) })),
        },
        { kind: 'text', name: 'description', label: t('description'), maxLength: 300, isWide: true },
      ]}
    />
  )
}
