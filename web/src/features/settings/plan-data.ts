import { useQuery } from '@tanstack/react-query'
import {
  apiKeysList,
  type BillingSubscription,
  membersList,
  outletsList,
  type PlanTier,
  webhooksList,
} from 'kasir-client'
import { useDevice } from '../../app/device.ts'
import { call } from '../../app/service.ts'
import type { PlanTranslate } from '../../texts/plan/texts.ts'
import { formatRupiah } from '../../ui/rupiah.ts'

export type Cap = keyof PlanTier['caps']
export type Currency = 'IDR' | 'USD'
export const CAPS = ['outlets', 'products', 'members', 'tables', 'apiKeys', 'webhookSubscriptions'] as const

/** A day with its year, such as 25 Nov 2026. */
export const formatDate = (instant: string): string =>
  new Intl.DateTimeFormat(useDevice.getState().language === 'id' ? 'id-ID' : 'en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(new Date(instant))

export const formatPrice = (amount: number, currency: Currency): string =>
  currency === 'IDR' ? formatRupiah(amount) : `US$ ${amount}`

/** How many of each the business has; products and tables come in pages, so they are not counted. */
export const useUsage = (): Partial<Record<Cap, number>> => {
  const usage = useQuery({
    queryKey: ['planUsage'],
    queryFn: async () => {
      const [{ outlets }, { members }, { apiKeys }, { subscriptions }] = await Promise.all([
        call(outletsList),
        call(membersList),
        call(apiKeysList),
        call(webhooksList),
      ])
      return {
        outlets: outlets.filter(({ isActive }) => isActive).length,
        members: members.length,
        apiKeys: apiKeys.filter(({ revokedAt }) => revokedAt === null).length,
        webhookSubscriptions: subscriptions.length,
      }
    },
  })
  return usage.data ?? {}
}

/** What the payment state of the plan means, in one sentence. */
export function stateSentence({ status, currentPeriodEnd }: BillingSubscription, t: PlanTranslate): string {
  if (status === 'free' || currentPeriodEnd === null) return t('plan.free')
  return t(`plan.${status}`, { date: formatDate(currentPeriodEnd) })
}
