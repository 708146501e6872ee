import { useQuery } from '@tanstack/react-query'
import { type Billing, billingGet, type PlanTier } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { May } from '../../office/may.tsx'
import { Panel } from '../../office/panel.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { StateMark } from '../../office/state-mark.tsx'
import { type PlanTranslate, usePlanTexts } from '../../texts/plan/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatAmount } from '../../ui/rupiah.ts'
import { CancelDialog } from './plan-cancel-dialog.tsx'
import { CheckoutDialog } from './plan-checkout-dialog.tsx'
import { CAPS, type Currency, formatDate, stateSentence, useUsage } from './plan-data.ts'
import { TierList } from './tier-list.tsx'

/** The plan of the business: its end, its limits in use, the other plans and their payment. */
export function PlanPage() {
  const t = usePlanTexts()
  const billing = useQuery({ queryKey: ['billing'], queryFn: () => call(billingGet) })
  const [currency, setCurrency] = useState<Currency>('IDR')
  const [dialog, setDialog] = useState<PlanTier | 'cancel' | null>(null)
  if (!billing.data) return <RecordState query={billing} />
  const { subscription, effectiveTier, tiers } = billing.data
  const close = () => {
    setDialog(null)
    void billing.refetch()
  }
  const mayCancel = subscription.status === 'active'
  return (
    <section className="grid max-w-6xl gap-4 p-4 sm:p-6">
      <h1 className="text-2xl font-bold">{t('plan')}</h1>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel
          title={t('plan.now')}
          actions={<Button onClick={() => void billing.refetch()}>{t('plan.again')}</Button>}
        >
          <PresentPlan billing={billing.data} />
          {mayCancel && (
            <div className="px-4 pb-4">
              <May route="billing.cancel">
                <Button look="danger" onClick={() => setDialog('cancel')}>
                  {t('plan.cancel')}
                </Button>
              </May>
            </div>
          )}
        </Panel>
        <Usage tier={tiers.find(({ tier }) => tier === effectiveTier)} />
      </div>
      <TierList billing={billing.data} currency={currency} onCurrency={setCurrency} onChoose={setDialog} />
      {dialog === 'cancel' && (
        <CancelDialog
          endsAt={subscription.following.at(-1)?.currentPeriodEnd ?? subscription.currentPeriodEnd}
          onClose={close}
        />
      )}
      {dialog !== null && dialog !== 'cancel' && (
        <CheckoutDialog tier={dialog} currency={currency} onClose={close} />
      )}
    </section>
  )
}

function PresentPlan({ billing: { subscription, effectiveTier, tiers } }: { billing: Billing }) {
  const t = usePlanTexts()
  const nameOf = (tier: string) => tiers.find((each) => each.tier === tier)?.name ?? tier
  const isGiven =
    effectiveTier !== 'free' && (subscription.status === 'free' || effectiveTier !== subscription.tier)
  return (
    <div className="grid gap-2 p-4">
      <p className="text-xl font-bold">{nameOf(effectiveTier)}</p>
      {isGiven && <p>{t('plan.given', { name: nameOf(effectiveTier) })}</p>}
      {isGiven && subscription.status !== 'free' && (
        <p>{t('plan.bought', { name: nameOf(subscription.tier) })}</p>
      )}
      <p className="text-muted">{stateSentence(subscription, t)}</p>
      {subscription.following.map(({ tier, currentPeriodEnd }) => (
        <p key={currentPeriodEnd} className="text-muted">
          {t('plan.following', { name: nameOf(tier), date: formatDate(currentPeriodEnd) })}
        </p>
      ))}
    </div>
  )
}

function Usage({ tier }: { tier: PlanTier | undefined }) {
  const t = usePlanTexts()
  const usage = useUsage()
  return (
    <Panel title={t('plan.usage')}>
      <dl className="grid gap-2 p-4">
        {CAPS.map((cap) => {
          const [used, limit] = [usage[cap], tier?.caps[cap] ?? null]
          const isFull = used !== undefined && limit !== null && used >= limit
          return (
            <div key={cap} className="flex flex-wrap items-center justify-between gap-x-3">
              <dt>{t(`cap.${cap}`)}</dt>
              <dd className="flex flex-wrap items-center gap-2 tabular-nums">
                {usageText(t, used, limit)}
                {isFull && <StateMark look="warn">{t('plan.full')}</StateMark>}
              </dd>
            </div>
          )
        })}
      </dl>
    </Panel>
  )
}

function usageText(t: PlanTranslate, used: number | undefined, limit: number | null): string {
  if (limit === null) return used === undefined ? t('plan.unlimited') : t('plan.used', { used })
  const most = formatAmount(limit)
  return used === undefined ? t('plan.upTo', { limit: most }) : t('plan.usedOf', { used, limit: most })
}
