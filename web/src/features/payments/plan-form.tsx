import { useQueryClient } from '@tanstack/react-query'
import { paymentPlansCreate, paymentPlansDelete, paymentPlansUpdate } from 'kasir-client'
import { DeleteButton } from '../../office/delete-button.tsx'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { callPartner } from './partner-calls.ts'
import type { Plan } from './partner-records.ts'
import { intervalsIn, readPlan } from './plan-data.ts'
import { PlanPrices } from './plan-prices.tsx'

function useFinish() {
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  return () => {
    void queries.invalidateQueries({ queryKey: ['payments'] })
    void setAddress({ id: null })
  }
}

/** A new plan with its first price. */
export function NewPlanForm() {
  const t = usePaymentsTexts()
  const form = useForm<{ name: string; amount: number | null; interval: string }>({
    name: 'paymentPlan:new',
    initial: { name: '', amount: null, interval: 'month' },
    save: ({ name, amount, interval }, _changes, options) =>
      callPartner(paymentPlansCreate, { name, prices: [{ amount, currency: 'IDR', interval }] }, options),
    onSaved: useFinish(),
  })
  return (
    <FormPage
      title={t('plan.new')}
      form={form}
      fields={[
        { kind: 'text', name: 'name', label: t('plan.name'), isRequired: true, maxLength: 120, isWide: true },
        { kind: 'money', name: 'amount', label: t('plan.price'), isRequired: true },
        {
          kind: 'choice',
          name: 'interval',
          label: t('interval'),
          isRequired: true,
          options: intervalsIn(t),
        },
      ]}
    />
  )
}

type PlanValues = Pick<Plan, 'name' | 'active'>
const toForm = ({ name, active }: Plan): PlanValues => ({ name, active })

/** A plan with its prices. Subscribers keep the price that they agreed to. */
export function PlanForm({ plan, onChanged }: { plan: Plan; onChanged(): void }) {
  const t = usePaymentsTexts()
  const finish = useFinish()
  const form = useForm<PlanValues>({
    name: `paymentPlan:${plan.id}`,
    initial: toForm(plan),
    save: (_values, changes, options) =>
      callPartner(paymentPlansUpdate, { ...changes, id: plan.id }, options),
    readAgain: async () => toForm(await readPlan(plan.id)),
    onSaved: finish,
  })
  return (
    <FormPage
      title={plan.name || plan.id}
      form={form}
      actions={
        <DeleteButton
          route="paymentPlans.delete"
          name={plan.name}
          text={t('plan.deleteText')}
          remove={() => callPartner(paymentPlansDelete, { id: plan.id })}
          onDone={finish}
          isDirty={form.isDirty}
        />
      }
      fields={[
        { kind: 'text', name: 'name', label: t('plan.name'), isRequired: true, maxLength: 120 },
        { kind: 'switch', name: 'active', label: t('plan.offered'), hint: t('plan.offeredHint') },
      ]}
    >
      <PlanPrices plan={plan} onChanged={onChanged} />
    </FormPage>
  )
}
