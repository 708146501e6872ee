import { useMutation } from '@tanstack/react-query'
import { billingCheckout, type PlanTier } from 'kasir-client'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { newKey } from '../../offline/key.ts'
import { usePlanTexts } from '../../texts/plan/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { formatMoment } from '../../ui/time.ts'
import { type Currency, formatPrice } from './plan-data.ts'

type CheckoutDialogProps = { tier: PlanTier; currency: Currency; onClose(): void }

/** Opens a page of the payment partner; the member follows a link to it, because browsers block other windows. */
export function CheckoutDialog({ tier, currency, onClose }: CheckoutDialogProps) {
  const t = usePlanTexts()
  const [idempotencyKey] = useState(newKey)
  const checkout = useMutation({
    mutationFn: () => call(billingCheckout, { tier: tier.tier, currency }, { idempotencyKey }),
  })
  const page = checkout.data
  return (
    <Dialog
      title={t('plan.payTitle', { name: tier.name })}
      onClose={onClose}
      actions={
        page === undefined ? (
          <Button
            className="flex-1"
            look="primary"
            disabled={checkout.isPending}
            onClick={() => checkout.mutate()}
          >
            {t('plan.createPage')}
          </Button>
        ) : (
          <a
            href={page.hostedUrl}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-12 flex-1 items-center justify-center gap-2 rounded-xl bg-brand px-4 font-semibold text-on-brand"
          >
            <ExternalLink aria-hidden size={18} />
            {t('plan.openPage')}
          </a>
        )
      }
    >
      <div className="grid gap-3">
        <p>{t('plan.payText', { amount: formatPrice(tier.prices[currency], currency) })}</p>
        {page !== undefined && <p role="status">{t('plan.after', { date: formatMoment(page.expiresAt) })}</p>}
        <Failure error={checkout.error} />
      </div>
    </Dialog>
  )
}
