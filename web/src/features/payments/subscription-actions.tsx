import { paymentSubscriptionsCancel, paymentSubscriptionsUpdate } from 'kasir-client'
import { useState } from 'react'
import type { Option } from '../../office/form/field-spec.ts'
import { momentText } from '../../office/partner-data.ts'
import { usePaymentsTexts } from '../../texts/payments/texts.ts'
import { FIELD } from '../../ui/field.tsx'
import { Picks } from '../../ui/picks.tsx'
import { ActionButton } from './action-button.tsx'
import { callPartner } from './partner-calls.ts'
import type { Subscription } from './partner-records.ts'

type SubscriptionActionsProps = {
  subscription: Subscription
  offers: readonly Option[]
  onChanged(): void
}

/** Another price from the next period on, the end of the subscription, or its continuation. */
export function SubscriptionActions({ subscription, offers, onChanged }: SubscriptionActionsProps) {
  const t = usePaymentsTexts()
  const { id, priceId, cancelAtPeriodEnd, currentPeriodEnd } = subscription
  const [chosen, setChosen] = useState('')
  const [when, setWhen] = useState<'end' | 'now'>('end')
  const date = momentText(currentPeriodEnd)
  return (
    <div className="flex flex-wrap gap-2">
      <ActionButton
        route="paymentSubscriptions.update"
        label={t('subscription.change')}
        text={t('subscription.changeText', { date })}
        look="primary"
        isDisabled={chosen === ''}
        run={(options) => callPartner(paymentSubscriptionsUpdate, { id, priceId: chosen }, options)}
        onDone={onChanged}
      >
        <label className="grid gap-1.5 text-sm font-medium">
          {t('subscription.price')}
          <select
            className={`${FIELD} font-normal`}
            value={chosen}
            onChange={({ target }) => setChosen(target.value)}
          >
            <option value="">{t('subscription.choose')}</option>
            {offers
              .filter(({ value }) => value !== priceId)
              .map(({ value, text }) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
          </select>
        </label>
      </ActionButton>
      {cancelAtPeriodEnd && (
        <ActionButton
          route="paymentSubscriptions.update"
          label={t('subscription.resume')}
          text={t('subscription.resumeText')}
          look="primary"
          run={(options) =>
            callPartner(paymentSubscriptionsUpdate, { id, cancelAtPeriodEnd: false }, options)
          }
          onDone={onChanged}
        />
      )}
      <ActionButton
        route="paymentSubscriptions.cancel"
        label={t('subscription.cancel')}
        text={t(when === 'end' ? 'subscription.cancelEndText' : 'subscription.cancelNowText', { date })}
        run={(options) =>
          callPartner(paymentSubscriptionsCancel, { id, atPeriodEnd: when === 'end' }, options)
        }
        onDone={onChanged}
      >
        <Picks<'end' | 'now'>
          label={t('subscription.when')}
          options={[
            { value: 'end', text: t('subscription.atEnd') },
            { value: 'now', text: t('subscription.now') },
          ]}
          value={when}
          onValue={setWhen}
        />
      </ActionButton>
    </div>
  )
}
