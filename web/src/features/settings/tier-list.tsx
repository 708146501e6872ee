import type { Billing, PlanTier } from 'kasir-client'
import { May } from '../../office/may.tsx'
import { StateMark } from '../../office/state-mark.tsx'
import { usePlanTexts } from '../../texts/plan/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Picks } from '../../ui/picks.tsx'
import { formatAmount } from '../../ui/rupiah.ts'
import { CAPS, type Currency, formatPrice } from './plan-data.ts'

const CURRENCIES: readonly Currency[] = ['IDR', 'USD']

type TierListProps = {
  billing: Billing
  currency: Currency
  onCurrency(currency: Currency): void
  onChoose(tier: PlanTier): void
}

/** Every plan with its price and limits; the paid ones can be paid for. */
export function TierList({ billing, currency, onCurrency, onChoose }: TierListProps) {
  const t = usePlanTexts()
  const capText = (cap: number | null) => (cap === null ? t('plan.unlimited') : formatAmount(cap))
  return (
    <section aria-label={t('plan.choices')} className="grid gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 className="text-xl font-bold">{t('plan.choices')}</h2>
        <Picks
          label={t('plan.currency')}
          options={CURRENCIES.map((value) => ({ value, text: t(`plan.${value}`) }))}
          value={currency}
          onValue={onCurrency}
        />
      </div>
      <ul aria-label={t('plan.choices')} className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {billing.tiers.map((tier) => (
          <li key={tier.tier} className="flex flex-col gap-3 rounded-xl border bg-panel p-4">
            <h3 className="flex flex-wrap items-center gap-2 font-semibold">
              {tier.name}
              {tier.tier === billing.effectiveTier && <StateMark look="good">{t('plan.present')}</StateMark>}
            </h3>
            <p>
              <span className="text-xl font-bold tabular-nums">
                {formatPrice(tier.prices[currency], currency)}
              </span>{' '}
              {tier.tier !== 'free' && <span className="text-sm text-muted">{t('plan.per')}</span>}
            </p>
            <ul className="grid flex-1 content-start gap-1 text-sm text-muted">
              {CAPS.map((cap) => (
                <li key={cap}>
                  {t(`cap.${cap}`)}: {capText(tier.caps[cap])}
                </li>
              ))}
              <li>{t(tier.modulesAllowed ? 'plan.modules' : 'plan.noModules')}</li>
            </ul>
            {tier.tier !== 'free' && (
              <May route="billing.checkout">
                <Button look="primary" onClick={() => onChoose(tier)}>
                  {t(isRunning(billing, tier) ? 'plan.extend' : 'plan.pay', { name: tier.name })}
                </Button>
              </May>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const isRunning = ({ subscription }: Billing, { tier }: PlanTier) =>
  subscription.tier === tier && (subscription.status === 'active' || subscription.status === 'canceled')
