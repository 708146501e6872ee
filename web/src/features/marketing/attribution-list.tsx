import { Link } from '@tanstack/react-router'
import { type ReferralAttribution, referralsListAttributions } from 'kasir-client'
import { Share2 } from 'lucide-react'
import { callPage, PAGE_ROWS } from '../../office/call-page.ts'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { StateMark } from '../../office/state-mark.tsx'
import { type MarketingTranslate, useMarketingTexts } from '../../texts/marketing/texts.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { formatAmount, formatRupiah } from '../../ui/rupiah.ts'
import { formatMoment } from '../../ui/time.ts'

/** Sales with a referral code, and the rewards of both sides. */
export function AttributionList() {
  const t = useOfficeTexts()
  const m = useMarketingTexts()
  return (
    <ListPage
      title={m('attributions')}
      columns={columnsIn(m, t('state'))}
      idOf={({ id }) => id}
      source={{
        key: ['referralAttributions'],
        read: (cursor) =>
          callPage(
            referralsListAttributions,
            { limit: PAGE_ROWS, ...(cursor !== null && { cursor }) },
            ({ attributions }) => attributions,
          ),
      }}
      ErrorView={ModuleFailure}
      empty={{ icon: Share2, title: m('attribution.empty'), text: m('attribution.emptyText') }}
    />
  )
}

const LOOKS = { pending: 'warn', rewarded: 'good', expired: 'muted', rejected: 'danger' } as const

const rewardText = (currency: string, amount: number) =>
  currency === 'IDR' ? formatRupiah(amount) : `${currency} ${formatAmount(amount)}`

const columnsIn = (m: MarketingTranslate, state: string): readonly Column<ReferralAttribution>[] => [
  {
    key: 'sale',
    title: m('attribution.sale'),
    cell: ({ transactionId, createdAt }) => (
      <span className="grid min-w-0">
        <Link to="/penjualan" search={{ sale: transactionId }} className="underline">
          {m('attribution.open')}
        </Link>
        <span className="text-xs font-normal text-muted">{formatMoment(createdAt)}</span>
      </span>
    ),
  },
  {
    key: 'referrer',
    title: m('attribution.referrer'),
    isAmount: true,
    from: 'sm',
    sortBy: ({ referrerReward }) => referrerReward,
    cell: ({ currency, referrerReward }) => rewardText(currency, referrerReward),
  },
  {
    key: 'referee',
    title: m('attribution.referee'),
    isAmount: true,
    from: 'sm',
    sortBy: ({ refereeReward }) => refereeReward,
    cell: ({ currency, refereeReward }) => rewardText(currency, refereeReward),
  },
  {
    key: 'state',
    title: state,
    cell: ({ status }) => <StateMark look={LOOKS[status]}>{m(`attribution.${status}`)}</StateMark>,
  },
]
