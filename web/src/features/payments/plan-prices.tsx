import { useQueryClient } from '@tanstack/react-query'
import { paymentPlansAddPrice, paymentPlansUpdatePrice } from 'kasir-client'
import { useState } from 'react'
import { Panel } from '../../office/panel.tsx'
import { StateMark } from '../../office/state-mark.tsx'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { MoneyField } from '../../ui/money-field.tsx'
import { Picks } from '../../ui/picks.tsx'
import { ActionButton } from './action-button.tsx'
import { callPartner } from './partner-calls.ts'
import type { Plan } from './partner-records.ts'
import { intervalsIn } from './plan-data.ts'
import { priceText } from './price-text.ts'

/** The prices of a plan. An amount never changes, because subscribers agreed to it: another amount is another price. */
export function PlanPrices({ plan, onChanged }: { plan: Plan; onChanged(): void }) {
  const t = usePaymentsTexts()
  const queries = useQueryClient()
  const [amount, setAmount] = useState<number | null>(null)
  const [interval, setChosenInterval] = useState<'month' | 'year'>('month')
  const finish = () => {
    setAmount(null)
    void queries.invalidateQueries({ queryKey: ['payments'] })
    onChanged()
  }
  return (
    <Panel
      title={t('plan.prices')}
      actions={
        <ActionButton
          route="paymentPlans.addPrice"
          label={t('price.add')}
          text={t('price.addText')}
          look="primary"
          isDisabled={amount === null}
          run={(options) =>
            callPartner(paymentPlansAddPrice, { id: plan.id, amount, currency: 'IDR', interval }, options)
          }
          onDone={finish}
        >
          <MoneyField label={t('plan.price')} value={amount} onValue={setAmount} />
          <Picks<'month' | 'year'>
            label={t('interval')}
            options={intervalsIn(t)}
            value={interval}
            onValue={setChosenInterval}
          />
        </ActionButton>
      }
    >
      <ul aria-label={t('plan.prices')} className="divide-y">
        {plan.prices.map((price) => (
          <li key={price.id} className="flex flex-wrap items-center gap-3 px-4 py-2">
            <span className="flex-[1_0_9rem] font-medium tabular-nums">{priceText(t, price)}</span>
            <StateMark look={price.active ? 'good' : 'muted'}>
              {t(price.active ? 'plan.active' : 'plan.inactive')}
            </StateMark>
            <ActionButton
              route="paymentPlans.updatePrice"
              label={t(price.active ? 'price.stop' : 'price.offer')}
              text={t(price.active ? 'price.stopText' : 'price.offerText')}
              look={price.active ? 'danger' : 'primary'}
              run={(options) =>
                callPartner(paymentPlansUpdatePrice, { priceId: price.id, active: !price.active }, options)
              }
              onDone={finish}
            />
          </li>
        ))}
      </ul>
      {plan.prices.length === 0 && <p className="p-4 text-muted">{t('price.none')}</p>}
    </Panel>
  )
}
